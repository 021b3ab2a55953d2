"""How a dispute is shown: its question, the answers one tap away, the marks on its pictures."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask
from flask_babel import lazy_gettext as _l

from companion.night.claim_values import Asking
from companion.night.evidence import could_have, evidence_of
from companion.night.values import ClaimRecord, SeenCard, Snapshot
from companion.night.witness import last_play
from companion.rules.cards import TARGETS, VALUES, parse_card
from companion.server.faces import card_name
from companion.server.language import translate as _
from companion.table.story import Told
from companion.table.story_values import ENDS_TURN

TWEAK_WORDS = {"joker+1": _l("Joker +1"), "joker-1": _l("Joker −1")}
BY_CAMERA = ("card", "presence", "target")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a question, one tap away.

    Attributes:
        told: what the tap tells, as text.
        card: the card that is drawn for it, empty where ``words`` say it.
        likely: whether the referee named it.
    """

    told: str
    card: str = ""
    words: str = ""
    likely: bool = True


@dataclass(frozen=True, slots=True)
class Marked:
    """One card of an evidence picture: outlined, and set off where the claim is about it."""

    seen: SeenCard
    meant: bool


def question_words(asking: Asking) -> str:
    """What the referee wants to be shown or told, in the reader's language."""
    values = dict(asking.values)
    either = " " + _("or") + " "
    if "cards" in values:
        values["cards"] = either.join(card_name(parse_card(one)) for one in asking.options)
    for name in ("targets", "needed", "joker"):
        if name in values:
            values[name] = either.join(values[name].split(" or "))
    return _(asking.template) % values


def answers(asking: Asking) -> tuple[Answer, ...]:
    """The answers that are one tap away; none where any card may be it, or the camera answers."""
    match asking.about:
        case "card":
            return tuple(Answer(one, one) for one in asking.options)
        case "presence":
            return (Answer("yes", words=_("It lies there")), Answer("no", words=_("It does not")))
        case "target":
            shown = asking.options or tuple(f"#{target}" for target in TARGETS)
            return tuple(Answer(one, one) for one in shown)
        case "hand":
            likely = asking.options
            seen = tuple(Answer(one, one) for one in likely if not one.isdigit())
            values = (Answer(str(v), words=str(v), likely=str(v) in likely) for v in VALUES)
            return (*seen, *values)
        case "tweak":
            played = tuple(Answer(one, words=str(TWEAK_WORDS[one])) for one in asking.options)
            return (*played, Answer("none", words=_("No Joker")))
        case _:
            return ()


def showing(claim: ClaimRecord) -> str:
    """What showing the card to the camera does, in the reader's language; empty where nothing."""
    told = any(one.by == "players" for one in claim.corrections)
    about = "" if claim.asking is None else claim.asking.about
    if claim.evidence != "camera" or told or about not in (*BY_CAMERA, "hand"):
        return ""
    if claim.deck_gone and about == "hand":
        return _("Tap it: with the deck gone, a card that is laid may be the next player's.")
    if about == "hand":
        return _("The card that makes it right may be shown to the camera as well.")
    if claim.deck_gone and about != "target":
        return _(
            "Tap which it is, or lay it back just where it lay before anything else is played: "
            "with the deck gone, a card laid elsewhere may be the next player's."
        )
    return _("Shown to the camera, it decides by itself.")


def marks_before(claim: ClaimRecord) -> tuple[Marked, ...]:
    """The cards of the picture before: those that were taken are meant, and the deck's top card."""
    play = evidence_of(claim).play
    if play is not None:
        went = {*play.taken, play.beside}
        marked = [Marked(seen, place in went) for place, seen in enumerate(claim.table)]
        if not play.taken:
            marked = [Marked(seen, True) for seen in claim.table]
    else:
        free = list(claim.said.taken)
        marked = []
        for seen in claim.table:
            fits = [text for text in free if text in seen.text.split("?")]
            if fits:
                free.remove(fits[0])
            marked.append(Marked(seen, bool(fits) or not claim.said.taken))
    if claim.deck is not None:
        marked.append(Marked(claim.deck, True))
    return tuple(marked)


def marks_after(claim: ClaimRecord) -> tuple[Marked, ...]:
    """The cards of the picture after: those that had come are meant, else all."""
    play = evidence_of(claim).play
    came = play.laid if play is not None else ()
    return tuple(Marked(seen, not came or seen.text in came) for seen in claim.after)


def turn_is_over(snapshot: Snapshot, claim: ClaimRecord) -> bool:
    """Whether the turn of a claim has ended, so that its other sums help nobody any more."""
    if claim.play is not None or not claim.said.taken:
        return evidence_of(claim).play is None or claim.asking is None
    last = last_play(snapshot.story)
    played = last is not None and last.id > claim.id
    return played or any(other.id > claim.id for other in snapshot.claims)


def may_be_doubted(told: Told) -> bool:
    """Whether somebody played a card in a step of the story."""
    ended = any(one.deed in ENDS_TURN for one in told.tale.happenings)
    return ended and not told.returned


def set_up(app: Flask) -> None:
    """Let every template show disputes."""
    app.jinja_env.globals.update(
        answers=answers,
        could_have=could_have,
        evidence_of=evidence_of,
        last_play=last_play,
        marks_after=marks_after,
        marks_before=marks_before,
        may_be_doubted=may_be_doubted,
        question_words=question_words,
        showing=showing,
        turn_is_over=turn_is_over,
    )
