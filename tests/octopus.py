"""Twelve made-up papers about octopus robots in three themes, some strangers, and a library of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rag.embed import load
from rag.library import Library
from rag.library.sync import sync
from rag.retrieve import Retriever
from rag.types import Paper

_GRIP = (
    (
        "SuckNet: Tactile Sensing for Octopus Suckers",
        "Octopus robots grip blindly, because their suckers cannot feel what they hold. We propose "
        "SuckNet, a tactile "
        "sensing skin for the suckers of octopus robots. A small network reads the pressure of every sucker. SuckNet "
        "raises the grip success rate by 12.5% on WetGrasp. Code is available at https://example.org/sucknet.",
    ),
    (
        "Feeling Shells with Tactile Suckers",
        "Tactile sensing under water is hard, since water dampens touch. We introduce ShellSense, which learns the "
        "touch of shells from tactile suckers. Octopus robots with ShellSense sort 84% of shells "
        "correctly on WetGrasp.",
    ),
    (
        "Grip Control from Tactile Skin",
        "Grip control of octopus robots wastes energy when suckers hold too hard. We present GripSave, a controller "
        "that loosens suckers by what the tactile skin feels. In a water tank, GripSave saves 31% of the energy.",
    ),
    (
        "How Much Touch Does an Octopus Robot Need?",
        "It is unclear how many tactile suckers an octopus robot needs. We study grip with fewer tactile suckers. "
        "We find that tactile sensing in every fourth sucker reduces grip success by only 2%.",
    ),
)
_CRAWL = (
    (
        "ArmPlan: Motion Planning for Eight Arms",
        "Motion planning for eight soft arms is slow, as the arms bend everywhere. We propose ArmPlan, a motion "
        "planner that plans the arms of octopus robots one after another. ArmPlan plans a crawl in 0.4 seconds, 6x "
        "faster than joint planning.",
    ),
    (
        "Crawling over Reefs with Learned Gaits",
        "Octopus robots tip over on rough reefs. This paper develops ReefGait, a learned gait for motion planning on "
        "reefs. ReefGait crosses 9 of 10 reefs in simulation without a fall.",
    ),
    (
        "Joint Planning of Soft Arms",
        "Planning soft arms one by one leads to collisions between arms. We design TangleFree, a joint "
        "motion planner "
        "for the soft arms of octopus robots. Collisions between arms fall from 14% to 1% of all crawls.",
    ),
    (
        "Gaits for Broken Arms",
        "A broken arm stops today's octopus robots. We present LimpOn, a gait that replans motion when arms fail. "
        "Experiments in a pool show that LimpOn keeps 70% of the speed with three broken arms.",
    ),
)
_COLOUR = (
    (
        "ChromaSkin: Camouflage that Learns",
        "Camouflage of octopus robots is fixed at the factory and fits few sea beds. We propose ChromaSkin, a colour "
        "skin that learns camouflage from cameras. Divers overlook robots with ChromaSkin 3x as often.",
    ),
    (
        "Fast Colour Change for Camouflage",
        "Colour change takes seconds in today's camouflage skins. We introduce BlinkSkin, a pigment pump for octopus "
        "robots. BlinkSkin changes its colour within 0.2 seconds on the SeaBed benchmark of 1,200 pictures.",
    ),
    (
        "Does Camouflage Help Octopus Robots?",
        "Whether camouflage helps octopus robots to observe fish was never measured. We compare robots "
        "with and without "
        "a colour skin on the SeaBed benchmark. Fish come 40% closer to robots whose camouflage is switched on.",
    ),
    (
        "Camouflage and Battery Life",
        "Colour skins of octopus robots drain batteries. We analyse the power of camouflage for a year at sea. "
        "Results show that camouflage costs 18% of the battery, most of it by night.",
    ),
)
_STRANGERS = (
    (
        "Bread That Keeps",
        "Rye bread dries within days. We study sourdough with more water. It keeps for two weeks.",
    ),
    (
        "Choirs in Small Rooms",
        "Choirs sound dull in small rooms. We hang curtains. The sound improves by 3 decibels.",
    ),
)
SPAM = (
    "Octopus robots tactile octopus robots. Octopus robots best octopus robots camouflage octopus robots. "
    "Octopus robots motion planning octopus robots, octopus robots, octopus robots octopus robots!"
)


def papers() -> tuple[Paper, ...]:
    texts = (*_GRIP, *_CRAWL, *_COLOUR, *_STRANGERS)
    return tuple(made(f"doi:10.8/{number}", title, text) for number, (title, text) in enumerate(texts, 1))


def made(id_: str, title: str, abstract: str, **fields: object) -> Paper:
    return Paper(id_, title, "given", abstract, ("Ann Arm", "Oda Sea"), 2024, "SeaRob", **fields)  # type: ignore[arg-type]


def library(home: Path, more: Iterable[Paper] = ()) -> Library:
    embedder = load()
    sync(home, "sea", [*papers(), *more], embedder)
    return Library.open(home, "sea", embedder_identity=embedder.identity)


def retriever(held: Library) -> Retriever:
    return Retriever(held, load())
