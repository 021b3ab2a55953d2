"""Pictures for the models: recipes beside the workshop that draws, labels, trains and scores.

Nothing in here is shipped: the companion never imports it, and it imports the companion only
for the names of the cards.
"""
