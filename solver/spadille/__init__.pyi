"""The public names of the package, each with the module that defines it."""

from spadille.analysis.auction.before_play import (
    BeforePlay as BeforePlay,
)
from spadille.analysis.auction.before_play import (
    before_play as before_play,
)
from spadille.analysis.chances.card_chances import chances as chances
from spadille.analysis.chances.card_chances_result import (
    CardChance as CardChance,
)
from spadille.analysis.chances.card_chances_result import (
    Chances as Chances,
)
from spadille.analysis.chances.contract_chances import best_chances as best_chances
from spadille.analysis.chances.contract_chances_result import BestChances as BestChances
from spadille.analysis.chances.plans import (
    Plan as Plan,
)
from spadille.analysis.chances.plans import (
    PlanStep as PlanStep,
)
from spadille.analysis.chances.plans import (
    plan as plan,
)
from spadille.analysis.chances.sampling_plan import Drawing as Drawing
from spadille.analysis.contracts.best import best as best
from spadille.analysis.contracts.best import best_many as best_many
from spadille.analysis.contracts.best_result import Best as Best
from spadille.analysis.contracts.table import (
    Table as Table,
)
from spadille.analysis.contracts.table import (
    table as table,
)
from spadille.analysis.contracts.table import (
    table_many as table_many,
)
from spadille.analysis.evening.score import Scores as Scores
from spadille.analysis.evening.score import score as score
from spadille.analysis.review.review import (
    Review as Review,
)
from spadille.analysis.review.review import (
    review as review,
)
from spadille.analysis.review.review import (
    review_many as review_many,
)
from spadille.analysis.value.card_values import (
    CardValue as CardValue,
)
from spadille.analysis.value.card_values import (
    CardValues as CardValues,
)
from spadille.analysis.value.card_values import (
    card_values as card_values,
)
from spadille.analysis.value.card_values import (
    card_values_many as card_values_many,
)
from spadille.analysis.value.solve import solve as solve
from spadille.analysis.value.solve import solve_many as solve_many
from spadille.analysis.value.solve_result import (
    ContractorResult as ContractorResult,
)
from spadille.analysis.value.solve_result import (
    Result as Result,
)
from spadille.base.errors import (
    ArgumentError as ArgumentError,
)
from spadille.base.errors import (
    CardError as CardError,
)
from spadille.base.errors import (
    ContractError as ContractError,
)
from spadille.base.errors import (
    DealError as DealError,
)
from spadille.base.errors import (
    IllegalCardError as IllegalCardError,
)
from spadille.base.errors import (
    InternalError as InternalError,
)
from spadille.base.errors import (
    RulesError as RulesError,
)
from spadille.base.errors import (
    SpadilleError as SpadilleError,
)
from spadille.base.errors import (
    TooRareError as TooRareError,
)
from spadille.core.contract import Contract as Contract
from spadille.core.deal import Deal as Deal
from spadille.core.knowledge.seat_knowledge import Assumptions as Assumptions
from spadille.core.knowledge.seat_knowledge import Knowledge as Knowledge
from spadille.core.knowledge.seat_knowledge import know as know
from spadille.core.position import Position as Position
from spadille.core.recorded_auction import Auction as Auction
from spadille.games import GAMES as GAMES
from spadille.games import get_game as get_game
from spadille.games import rules_for as rules_for
from spadille.games.model.contract_kinds import Outcome as Outcome
from spadille.games.model.game import Game as Game
from spadille.games.model.game import Rules as Rules
from spadille.generate.deals.deal_search import Deals as Deals
from spadille.generate.deals.frequencies import Frequency as Frequency
from spadille.generate.deals.frequencies import frequencies as frequencies
from spadille.generate.deals.layout_condition import condition as condition
from spadille.generate.deals.random_deals import deals as deals
from spadille.generate.problems.mining import problems as problems
from spadille.generate.problems.problem import Problem as Problem
from spadille.pages.page import page as page
from spadille.pbn.dump import dump as dump
from spadille.pbn.dump import dumps as dumps
from spadille.pbn.hand_file import HandFile as HandFile
from spadille.pbn.hand_file import load as load
from spadille.pbn.hand_file import read as read
from spadille.render.sheet import Sheet as Sheet
from spadille.render.sheet import show as show
from spadille.search.engine import Solver as Solver
from spadille.search.limits import Limits as Limits

__version__: str
