# The engine as C++ declares it (csrc/solver.hpp, csrc/goal_automaton.hpp).
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr, unique_ptr
from libcpp.vector cimport vector


cdef extern from "following.hpp" namespace "spadille" nogil:
    cdef cppclass FollowingField "spadille::Following::Field":
        const char* name

    cdef cppclass Following:
        const char* set(const vector[int]&)
    const FollowingField* FOLLOWING "spadille::Following::kFields"
    const size_t FOLLOWING_COUNT "std::size(spadille::Following::kFields)"


cdef extern from "problem.hpp" namespace "spadille" nogil:
    cdef cppclass Problem:
        int players
        int trump
        int leader
        int on_table
        int[5] table
        uint64_t[5] hands
        uint64_t matadors
        uint64_t called
        Following following

    int to_play(const Problem&)

    cdef cppclass Sides:
        uint32_t side
        uint32_t credited

    cdef enum NeedsKind "spadille::Needs::Kind":
        MOST "spadille::Needs::most"
        EITHER "spadille::Needs::either"
        CLEAN "spadille::Needs::clean"


cdef extern from "goal_automaton.hpp" namespace "spadille" nogil:
    cdef cppclass Source "spadille::Automaton::Source":
        Source()
        int players
        vector[vector[int]] levels
        vector[long long] worth
        vector[vector[long long]] stop

    const long long NO_STOP "spadille::Automaton::kNoStop"


cdef extern from "input_faults.hpp" namespace "spadille" nogil:
    const char* fault(const Problem&)
    const char* fault(const Sides&, int)
    int tricks_left(const Problem&)


cdef extern from "solver.hpp" namespace "spadille" nogil:
    cdef enum class Stop(int):
        none
        nodes
        time
        interrupt
        budget

    cdef cppclass Stopped:
        Stop why

    cdef cppclass Limits:
        uint64_t nodes
        double seconds
        cbool (*interrupted)(void*) noexcept nogil
        void* context
        uint64_t patience

    const uint64_t PATIENCE "spadille::Limits::kPatience"

    cdef cppclass Choice:
        uint64_t legal
        uint64_t equivalents

    cdef cppclass CSolver "spadille::Solver":
        Choice choice(const Problem&)
        void clear() except +
        size_t bytes()
        void limit(const Limits&)
        uint64_t nodes()

        @staticmethod
        unique_ptr[CSolver] make(size_t, cbool) except +

        @staticmethod
        cbool has_fast_path()


cdef extern from "objective.hpp" namespace "spadille" nogil:
    cdef cppclass CObjective "spadille::Objective":
        cbool knows(const Problem&, int state)
        int led(int left, int state)
        void span(int left, int state, int& low, int& high)
        Sides sides
    ctypedef const CObjective ConstObjective "const spadille::Objective"

    cdef cppclass CTrickObjective "spadille::TrickObjective":
        CTrickObjective(const Sides&, vector[int] steps, cbool made_or_not) except +

    cdef cppclass PayoffSource "spadille::PayoffObjective::Source":
        PayoffSource()
        Source states
        vector[vector[int]] led
        vector[int] grades
        int values

    cdef cppclass CPayoffObjective "spadille::PayoffObjective":
        CPayoffObjective(const Sides&, PayoffSource, uint64_t) except +

        @staticmethod
        const char* fault(const PayoffSource&)

    cdef cppclass Terms "spadille::NeedsObjective::Terms":
        Terms()
        NeedsKind kind
        int[2] of

    cdef cppclass CNeedsObjective "spadille::NeedsObjective":
        CNeedsObjective(const Sides&, PayoffSource, vector[Terms], vector[vector[vector[int]]],
                        uint64_t) except +

        @staticmethod
        const char* fault(const Sides&, const PayoffSource&, const vector[Terms]&,
                          const vector[vector[vector[int]]]&)


cdef extern from "question.hpp" namespace "spadille" nogil:
    Problem played(const Problem&, int card)

    cdef cppclass COpenTrump "spadille::OpenTrump":
        COpenTrump()
        int declarer
        vector[int] lanes

    cdef cppclass CardValue:
        int card
        int value
        cbool known

    const uint64_t TASTE "spadille::Question::kTaste"

    cdef cppclass CQuestion "spadille::Question":
        CQuestion(CSolver&, const CObjective&, COpenTrump) except +
        Stop reaches(const Problem&, int state, int need, cbool& answer) except +
        Stop bounds(const Problem&, int state, int& low, int& high, int guess) except +
        Stop card_values(const Problem&, int state, int value, vector[CardValue]&) except +
        Stop best_line(Problem, int state, int value, vector[int]&, int& named,
                       uint64_t taste) except +
        int step(const Problem&, int state, int card) except +


cdef extern from "many_layouts.hpp" namespace "spadille" nogil:
    cdef cppclass CAsked "spadille::Asked":
        CAsked()
        shared_ptr[ConstObjective] objective
        int state
        int guess
        COpenTrump open

    cdef cppclass Telling:
        Telling()
        vector[int] cards
        vector[uint8_t] question

    cdef cppclass CLayouts "spadille::Layouts":
        CLayouts(const Problem&, vector[CAsked], Telling, cbool cards, size_t memory,
                 cbool plain) except +
        const vector[int]& cards()
        size_t width()
        const char* refuses(const uint64_t* hands, size_t count)
        void questions(const uint64_t* hands, size_t count, uint8_t* numbers)
        Stop run(const uint64_t* hands, size_t count, int threads, const Limits&,
                 int16_t* rows) except +
        void playouts(const uint64_t* hands, size_t count, int16_t* rows) except +
        size_t finished()
        uint64_t nodes()

        @staticmethod
        const char* fault(const Problem&, const vector[CAsked]&, const Telling&)


cdef extern from "plans.hpp" namespace "spadille" nogil:
    cdef enum class First:
        fronts
        mixing
        groups

    cdef cppclass CAim "spadille::Aim":
        CAim()
        shared_ptr[ConstObjective] objective
        int state
        int need
        cbool at_least

    cdef cppclass WeighedLayouts:
        WeighedLayouts()
        vector[uint64_t] hands
        vector[uint64_t] weights
        vector[uint8_t] aims

    cdef cppclass PlanValue:
        PlanValue()
        int card
        uint64_t equals
        uint64_t open
        uint64_t least
        uint64_t most
        vector[uint32_t] layouts
        cbool known

    cdef cppclass PlanStep:
        int parent
        vector[int] seen
        int card
        uint64_t weight

    cdef cppclass CPlanSearch "spadille::PlanSearch":
        CPlanSearch(const Problem&, vector[CAim], WeighedLayouts, size_t memory,
                    cbool plain, First first) except +
        Stop values(int blind, int threads, const Limits&, vector[PlanValue]& cards) except +
        Stop plan(const PlanValue&, size_t most, const Limits&, vector[PlanStep]& steps,
                  cbool& whole) except +

        @staticmethod
        const char* fault(const Problem&, const vector[CAim]&, const WeighedLayouts&)


cdef extern from "layout_unranker.hpp" namespace "spadille" nogil:
    cdef cppclass Wide "spadille::u128":
        pass
    Wide wide(uint64_t high, uint64_t low)
    cbool operator<(Wide, Wide)

    cdef cppclass UnrankNode "spadille::Unranker::Node":
        UnrankNode()
        uint32_t level
        uint32_t first
        uint32_t last

    cdef cppclass UnrankSplit "spadille::Unranker::Split":
        UnrankSplit()
        Wide start
        Wide ways
        uint64_t weight
        Wide below
        uint32_t after
        vector[int] takes

    cdef cppclass CUnranker "spadille::Unranker":
        CUnranker(vector[vector[int]], vector[UnrankNode], vector[UnrankSplit], vector[int],
                  vector[uint64_t]) except +
        const char* fault()
        size_t players()
        Wide count()
        void hands(Wide rank, uint64_t* hands)


cdef extern from "strength.hpp" namespace "spadille" nogil:
    cdef cppclass StrengthSuit "spadille::Strength::Suit":
        StrengthSuit()
        int length
        int low
        vector[int16_t] holdings
        vector[int16_t] called
        vector[int16_t] called_suit

    cdef cppclass StrengthLayer "spadille::Strength::Layer":
        StrengthLayer()
        vector[int16_t] weights
        vector[int] bias

    cdef cppclass StrengthScore "spadille::Strength::Score":
        StrengthScore()
        vector[int] weights
        int bias
        int start
        int step
        vector[float] shares
        float rise

    cdef cppclass CStrength "spadille::Strength":
        CStrength(vector[StrengthSuit], cbool trumps, vector[int16_t] position,
                  StrengthLayer wide, StrengthLayer, vector[StrengthScore], int made,
                  float least) except +
        const char* fault()
        int positions()
        cbool knows(uint64_t hand)
        cbool calls(int card)
        float made(uint64_t hand, int position, int called)
        float payoff(uint64_t hand, int position, int called)


cdef extern from "call_likelihood.hpp" namespace "spadille" nogil:
    ctypedef const CStrength* StrengthPointer "const spadille::Strength*"

    cdef cppclass CallOffer "spadille::CallLikelihood::Offer":
        CallOffer()
        int strength
        int numbering
        cbool calls
        cbool needs_suit
        vector[vector[int]] tiers
        int named

    cdef cppclass CallOption "spadille::CallLikelihood::Option":
        CallOption()
        int height
        vector[int] offers

    cdef cppclass CallChoice "spadille::CallLikelihood::Choice":
        CallChoice()
        vector[CallOption] options
        int chosen
        uint64_t duty
        vector[int] least

    cdef cppclass CallExchange "spadille::CallLikelihood::Exchange":
        CallExchange()
        uint64_t keepers
        vector[double] kept
        vector[double] away

    cdef cppclass CallBidder "spadille::CallLikelihood::Bidder":
        CallBidder()
        int player
        int position
        int exchanged
        uint64_t discards
        cbool counted
        CallExchange exchange
        vector[CallOffer] offers
        vector[CallChoice] choices

    cdef cppclass CallNumbering "spadille::CallLikelihood::Numbering":
        CallNumbering()
        int& operator[](size_t)

    cdef cppclass CCallLikelihood "spadille::CallLikelihood":
        CCallLikelihood(vector[StrengthPointer], vector[CallNumbering], vector[CallBidder], int,
                        uint64_t, double) except +
        const char* fault()
        void draw(const CUnranker&, size_t, uint64_t, uint64_t, vector[uint64_t]&)
        void weigh(const CUnranker&, const uint64_t*, size_t, double*)
