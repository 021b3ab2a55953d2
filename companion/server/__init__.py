"""SHOWS: the page that every phone at the table can open. No cv2 here, and no rule decided."""
