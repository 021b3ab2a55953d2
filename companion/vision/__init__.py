"""SEES: pixels become cards. The only room that imports cv2 or onnxruntime.

``Frame -> Sighting -> TableView``; nothing here knows a rule beyond what cards exist.
"""
