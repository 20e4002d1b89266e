"""The public names of the package, each with the module that defines it."""

from spadille.analysis.auction.before_play import (
    BeforePlay as BeforePlay,
)
from spadille.analysis.auction.before_play import (
    before_play as before_play,
)
from spadille.analysis.chances.belief import BelievedHand as BelievedHand
from spadille.analysis.chances.belief import BidBelief as BidBelief
from spadille.analysis.chances.card_chances import chances as chances
from spadille.analysis.chances.card_chances_result import (
    CardChance as CardChance,
)
from spadille.analysis.chances.card_chances_result import (
    Chances as Chances,
)
from spadille.analysis.chances.card_chances_result import Ended as Ended
from spadille.analysis.chances.card_chances_result import Guess as Guess
from spadille.analysis.chances.card_chances_result import PlansBasis as PlansBasis
from spadille.analysis.chances.card_chances_result import SurrenderChance as SurrenderChance
from spadille.analysis.chances.contract_chances import best_chances as best_chances
from spadille.analysis.chances.contract_chances_result import BestChances as BestChances
from spadille.analysis.chances.contract_chances_result import OfferChance as OfferChance
from spadille.analysis.chances.contract_chances_result import TriedChoices as TriedChoices
from spadille.analysis.chances.plans import (
    Plan as Plan,
)
from spadille.analysis.chances.plans import (
    PlanStep as PlanStep,
)
from spadille.analysis.chances.plans import (
    plan as plan,
)
from spadille.analysis.chances.player import Player as Player
from spadille.analysis.chances.sampling_settings import Drawing as Drawing
from spadille.analysis.chances.sampling_settings import Ranked as Ranked
from spadille.analysis.chances.sampling_settings import RankedBy as RankedBy
from spadille.analysis.confidence_intervals import Interval as Interval
from spadille.analysis.contracts.best import best as best
from spadille.analysis.contracts.best import best_many as best_many
from spadille.analysis.contracts.best_result import Best as Best
from spadille.analysis.contracts.best_result import BidCards as BidCards
from spadille.analysis.contracts.best_result import Offer as Offer
from spadille.analysis.contracts.best_result import Rank as Rank
from spadille.analysis.contracts.hand_strength import Strength as Strength
from spadille.analysis.contracts.hand_strength import strength as strength
from spadille.analysis.contracts.table import (
    Table as Table,
)
from spadille.analysis.contracts.table import TableRow as TableRow
from spadille.analysis.contracts.table import (
    table as table,
)
from spadille.analysis.contracts.table import (
    table_many as table_many,
)
from spadille.analysis.data_frames import Library as Library
from spadille.analysis.data_frames import to_frame as to_frame
from spadille.analysis.evening.deal_score import DealScore as DealScore
from spadille.analysis.evening.deal_settlement import EveningDeal as EveningDeal
from spadille.analysis.evening.deal_settlement import PlayedCards as PlayedCards
from spadille.analysis.evening.deal_settlement import Pool as Pool
from spadille.analysis.evening.deal_settlement import Settled as Settled
from spadille.analysis.evening.game_end import GameEnd as GameEnd
from spadille.analysis.evening.score import PlayerScore as PlayerScore
from spadille.analysis.evening.score import Scores as Scores
from spadille.analysis.evening.score import Stakes as Stakes
from spadille.analysis.evening.score import score as score
from spadille.analysis.review.card_costs import Account as Account
from spadille.analysis.review.card_costs import BeliefsUsed as BeliefsUsed
from spadille.analysis.review.card_costs import BeliefUsed as BeliefUsed
from spadille.analysis.review.card_costs import CostTally as CostTally
from spadille.analysis.review.card_costs import Judged as Judged
from spadille.analysis.review.card_costs import LuckVerdict as LuckVerdict
from spadille.analysis.review.card_costs import Mark as Mark
from spadille.analysis.review.card_costs import Moved as Moved
from spadille.analysis.review.card_costs import ReviewedCard as ReviewedCard
from spadille.analysis.review.refutation import Refutation as Refutation
from spadille.analysis.review.review import review as review
from spadille.analysis.review.review import review_many as review_many
from spadille.analysis.review.review_result import Review as Review
from spadille.analysis.value.card_values import (
    CardValue as CardValue,
)
from spadille.analysis.value.card_values import (
    CardValues as CardValues,
)
from spadille.analysis.value.card_values import CardWorth as CardWorth
from spadille.analysis.value.card_values import PositionValue as PositionValue
from spadille.analysis.value.card_values import (
    card_values as card_values,
)
from spadille.analysis.value.card_values import (
    card_values_many as card_values_many,
)
from spadille.analysis.value.decisions_other_than_cards import Course as Course
from spadille.analysis.value.decisions_other_than_cards import Decision as Decision
from spadille.analysis.value.decisions_other_than_cards import Preliminary as Preliminary
from spadille.analysis.value.decisions_other_than_cards import PreliminaryKind as PreliminaryKind
from spadille.analysis.value.secured_payoff import Secured as Secured
from spadille.analysis.value.solve import solve as solve
from spadille.analysis.value.solve import solve_many as solve_many
from spadille.analysis.value.solve_result import (
    ContractorResult as ContractorResult,
)
from spadille.analysis.value.solve_result import (
    Result as Result,
)
from spadille.analysis.value.surrender_decisions import Choice as Choice
from spadille.analysis.value.surrender_decisions import Surrendering as Surrendering
from spadille.analysis.value.swaps import Place as Place
from spadille.analysis.value.swaps import Swap as Swap
from spadille.analysis.value.swaps import Swaps as Swaps
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
from spadille.base.errors import Fault as Fault
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
    TooFewError as TooFewError,
)
from spadille.base.errors import (
    TooHardError as TooHardError,
)
from spadille.base.errors import (
    TooRareError as TooRareError,
)
from spadille.base.json_fields import Cell as Cell
from spadille.core.contract import Contract as Contract
from spadille.core.deal import Deal as Deal
from spadille.core.dealt_cards import DealtCards as DealtCards
from spadille.core.knowledge.conditioned_layouts import FittingLayouts as FittingLayouts
from spadille.core.knowledge.conditioned_layouts import LayoutCondition as LayoutCondition
from spadille.core.knowledge.layouts import Layout as Layout
from spadille.core.knowledge.layouts import Layouts as Layouts
from spadille.core.knowledge.seat_knowledge import Assumptions as Assumptions
from spadille.core.knowledge.seat_knowledge import BeliefKind as BeliefKind
from spadille.core.knowledge.seat_knowledge import Knowledge as Knowledge
from spadille.core.knowledge.seat_knowledge import know as know
from spadille.core.knowledge.starting_knowledge import Discards as Discards
from spadille.core.position import Position as Position
from spadille.core.position import Trick as Trick
from spadille.core.recorded_auction import Auction as Auction
from spadille.core.recorded_outcome import PlayView as PlayView
from spadille.games import GAMES as GAMES
from spadille.games import get_game as get_game
from spadille.games import load_games as load_games
from spadille.games import register as register
from spadille.games import rules_for as rules_for
from spadille.games.model.bidding import AuctionResult as AuctionResult
from spadille.games.model.bidding import AuctionStanding as AuctionStanding
from spadille.games.model.bidding import Bid as Bid
from spadille.games.model.bidding import Bidding as Bidding
from spadille.games.model.bidding import Turn as Turn
from spadille.games.model.contract_types_and_options import Changing as Changing
from spadille.games.model.contract_types_and_options import ContractType as ContractType
from spadille.games.model.contract_types_and_options import ExchangeRule as ExchangeRule
from spadille.games.model.contract_types_and_options import GameCourse as GameCourse
from spadille.games.model.contract_types_and_options import Option as Option
from spadille.games.model.contract_types_and_options import Outcome as Outcome
from spadille.games.model.contract_types_and_options import Surrender as Surrender
from spadille.games.model.deal_protocols import ContractView as ContractView
from spadille.games.model.deal_protocols import DealView as DealView
from spadille.games.model.deal_protocols import Hands as Hands
from spadille.games.model.game import Game as Game
from spadille.games.model.game import Rules as Rules
from spadille.generate.deals.condition_expressions import Expression as Expression
from spadille.generate.deals.condition_functions import ContractWorth as ContractWorth
from spadille.generate.deals.condition_functions import Count as Count
from spadille.generate.deals.condition_functions import HandWorth as HandWorth
from spadille.generate.deals.deal_search import Deals as Deals
from spadille.generate.deals.deal_search import DealValues as DealValues
from spadille.generate.deals.deal_search import TriedCondition as TriedCondition
from spadille.generate.deals.frequencies import Frequency as Frequency
from spadille.generate.deals.frequencies import frequencies as frequencies
from spadille.generate.deals.layout_condition import condition as condition
from spadille.generate.deals.random_deals import DealCondition as DealCondition
from spadille.generate.deals.random_deals import deals as deals
from spadille.generate.problems.find_problems import ErrorCallback as ErrorCallback
from spadille.generate.problems.find_problems import PlayedDeal as PlayedDeal
from spadille.generate.problems.find_problems import problems as problems
from spadille.generate.problems.key_line import Ply as Ply
from spadille.generate.problems.problem import Problem as Problem
from spadille.pages.page import page as page
from spadille.pbn.entry import Entry as Entry
from spadille.pbn.hand_file import HandFile as HandFile
from spadille.pbn.hand_file import load as load
from spadille.pbn.hand_file import read as read
from spadille.pbn.play_section import RecordedPlay as RecordedPlay
from spadille.pbn.session_facts import Session as Session
from spadille.pbn.session_facts import SessionDeal as SessionDeal
from spadille.pbn.write_deals import Dumpable as Dumpable
from spadille.pbn.write_deals import dump as dump
from spadille.pbn.write_deals import dumps as dumps
from spadille.render.deal_sheet import Sheet as Sheet
from spadille.render.deal_sheet import SheetPart as SheetPart
from spadille.render.deal_sheet import show as show
from spadille.render.play_and_auction_grids import DrawnTrick as DrawnTrick
from spadille.render.tables import TextTable as TextTable
from spadille.search.engine import Solver as Solver
from spadille.search.limits import Interruption as Interruption
from spadille.search.limits import Limits as Limits
from spadille.search.verdict import Unit as Unit
from spadille.search.verdict import Value as Value

__version__: str
