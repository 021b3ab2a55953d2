"""The words that players use for numbers, plus, equals and TWEAK, in six languages.

English, Hebrew, Arabic, Greek, Hungarian and Spanish. A word that means two things in two of
these languages is left out or told apart by its accents: Hungarian "és" is plus, Spanish "es"
is equals.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NUMBERS = """
0 zero nil אפס صفر μηδέν μηδεν nulla cero
1 one אחת אחד واحد واحدة وحدة ένα ενα ένας μία μια egy uno una un
2 two שתיים שתים שניים שנים שתי שני
2 اثنان اثنين إثنان إثنين اثنتان اثنتين اتنين δύο δυο kettő ketto két dos
3 ثلاثه تلاته
4 أربعه اربعه
5 خمسه
6 سته
7 سبعه
8 ثمانيه تمانيه
9 تسعه
10 عشره
3 three שלוש שלושה ثلاثة ثلاث تلاتة τρία τρια τρεις három harom tres
4 four ארבע ארבעה أربعة اربعة أربع اربع τέσσερα τεσσερα τέσσερις négy negy cuatro
5 five חמש חמישה חמשה خمسة خمس πέντε πεντε öt ot cinco
6 six שש שישה ששה ستة ست έξι εξι hat seis
7 seven שבע שבעה سبعة سبع επτά επτα εφτά εφτα hét het siete
8 eight שמונה ثمانية ثماني ثمان تمانية οκτώ οκτω οχτώ οχτω nyolc ocho
9 nine תשע תשעה تسعة تسع εννέα εννεα εννιά εννια kilenc nueve
10 ten עשר עשרה عشرة عشر δέκα δεκα tíz tiz diez
11 eleven ένδεκα έντεκα εντεκα tizenegy
"""

_PLUS = """
+ & and plus
ועוד עוד פלוס ו
زائد و مع
συν και
meg plusz és
más mas y
"""

_EQUALS = """
= is equals equal are makes make gives that's thats
זה שווה הם הוא יוצא ביחד
يساوي تساوي بيساوي هو هي
είναι ειναι κάνει κανει ίσον ισον κάνουν ισούται
az egyenlő egyenlo összesen osszesen
es son igual hacen suman da dan
"""

_TWEAK = "tweak טוויק טויק تويك تويیك τουίκ τουικ tvík"

NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        word: int(line.split()[0])
        for line in _NUMBERS.strip().splitlines()
        for word in line.split()[1:]
    }
)
"""Number words from nought to eleven, the highest target with a Joker."""

PLUS = frozenset(_PLUS.split())
EQUALS = frozenset(_EQUALS.split())
TWEAK = frozenset(_TWEAK.split())
AFTER_EQUALS = frozenset({"to", "a", "ל", "με", "annyi", "mint"})
"""Small words that follow a word for equals ("equal to", "igual a") and add nothing."""
AFTER_PLUS = frozenset({"a", "az"})
"""The Hungarian article before a number."""
BEFORE_EQUALS = frozenset({"μας", "nos"})
"""Greek and Spanish "us", as in "makes us 9"."""
JOINED_TO = "ל"
"""Hebrew writes "to" onto the front of the number that follows a word for equals."""
JOINED_AND = ("ו", "و")
"""Hebrew and Arabic write "and" onto the front of the next word."""
