"""UNDERSTANDS: what happened on the table. Pure: views in, events and verdicts out.

``TableView x TableView -> TableEvent``; ``Claim -> Verdict``; piles -> counts.
"""
