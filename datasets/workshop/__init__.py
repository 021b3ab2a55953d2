"""The workshop: draws decks of a game whose artwork is unknown, lays them on drawn tables, and
trains and scores the two models on the pictures. A deck is a random draw from as wide a space as
can be read by a person at a glance, so that a reader trained here reads any deck of coloured
cards with one large digit. Everything follows from seeds; whole decks are split between train,
val and test.
"""
