#include "many_layouts.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "cards.hpp"

namespace spadille {

namespace {

using Time = std::chrono::steady_clock;

std::size_t places(std::size_t players, std::size_t cards) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < cards; ++i) count *= players + 1;
    return count;
}

}  // namespace

// One call of `run`, shared by its threads.
struct Layouts::Run {
    Run(const u64* h, std::size_t n, const Limits& l, std::int16_t* r)
        : hands(h), count(n), limits(l), rows(r), nodes(n + 1) {}

    const u64* hands;
    std::size_t count;
    Limits limits;
    std::int16_t* rows;
    Time::time_point begin = Time::now();
    Time::time_point polled = begin;  // by the leading thread

    std::atomic<std::size_t> next{0};
    std::atomic<bool> stopping{false};

    // Guarded by the lock of Layouts.
    std::vector<u64> nodes;  // of each finished layout, plus one; 0 for the others
    Stop why = Stop::none;
    std::exception_ptr failed;
    int working = 0;
    std::condition_variable idle;

    static bool asked_to_stop(void* run) { return static_cast<Run*>(run)->stopping; }

    // Called only by the leading thread, because no other may check for interruptions.
    static bool interrupted(void* context) {
        Run& run = *static_cast<Run*>(context);
        if (run.limits.interrupted && run.limits.interrupted(run.limits.context))
            run.stopping = true;
        return run.stopping;
    }

    // Checks for interruptions between layouts, because short searches do not check for them.
    void poll() {
        constexpr auto kOften = std::chrono::milliseconds(10);
        const Time::time_point now = Time::now();
        if (now - polled < kOften) return;
        polled = now;
        interrupted(this);
    }

    // Sets the remaining time; returns false if there is none.
    bool left(double& seconds) const {
        seconds = 0;
        if (!(limits.seconds > 0)) return true;
        const std::chrono::duration<double> spent = Time::now() - begin;
        seconds = limits.seconds - spent.count();
        return seconds > 0;
    }
};

Layouts::Layouts(const Problem& p, std::vector<Asked> asked, Telling telling, bool cards,
                 std::size_t memory, bool plain)
    : base_(p), asked_(std::move(asked)), telling_(std::move(telling)), valued_(cards),
      memory_(memory), plain_(plain) {
    solvers_.push_back(Solver::make(memory_, plain_));
    if (!valued_) return;
    for (u64 left = solvers_[0]->choice(base_).legal; left; left &= left - 1)
        cards_.push_back(lowest_index(left));
}

const char* Layouts::fault(const Problem& p, const std::vector<Asked>& asked,
                           const Telling& telling) {
    if (const char* problem = spadille::fault(p)) return problem;
    if (!tricks_left(p)) return "the hand is over";
    if (asked.empty() || asked.size() >= kNone) return "expected 1 to 254 questions";
    for (const Asked& question : asked) {
        if (!question.objective) return "a question has no objective";
        if (!question.objective->knows(p, question.state) || question.open.declarer >= p.players)
            return "a state does not belong to its objective here";
    }
    constexpr std::size_t kMostTelling = 6;
    if (telling.cards.size() > kMostTelling) return "more than 6 cards determine the question";
    for (int card : telling.cards)
        if (card < 0 || card >= 64) return "a card that determines the question is invalid";
    if (telling.question.size() !=
        places(static_cast<std::size_t>(p.players), telling.cards.size()))
        return "each combination of holders needs a question";
    for (u8 number : telling.question)
        if (number != kNone && number >= asked.size()) return "the number of a question is invalid";
    return nullptr;
}

Problem Layouts::dealt(const u64* hands) const {
    Problem p = base_;
    u64 held = 0;
    for (int i = 0; i < p.players; ++i) held |= p.hands[i] = hands[i];
    p.called &= held;
    return p;
}

u8 Layouts::question(const Problem& p) const {
    std::size_t place = 0;
    for (int card : telling_.cards) {
        int holder = 0;
        while (holder < p.players && !(p.hands[holder] >> card & 1)) ++holder;
        place = place * static_cast<std::size_t>(p.players + 1) + static_cast<std::size_t>(holder);
    }
    return telling_.question[place];
}

const char* Layouts::refuses(const u64* hands, std::size_t count) const {
    const int mover = to_play(base_);
    for (std::size_t i = 0; i < count; ++i, hands += base_.players) {
        const Problem p = dealt(hands);
        if (const char* problem = spadille::fault(p)) return problem;
        if (valued_ && p.hands[mover] != base_.hands[mover])
            return "the player to move has another hand";
        if (tricks_left(p) != tricks_left(base_)) return "the number of tricks left differs";
        if (question(p) == kNone) return "a layout has no question";
    }
    return nullptr;
}

void Layouts::questions(const u64* hands, std::size_t count, u8* numbers) const {
    for (std::size_t i = 0; i < count; ++i, hands += base_.players)
        numbers[i] = question(dealt(hands));
}

void Layouts::playouts(const u64* hands, std::size_t count, std::int16_t* rows) const {
    std::vector<CardValue> values;
    for (std::size_t i = 0; i < count; ++i, hands += base_.players) {
        const Problem p = dealt(hands);
        const Asked& what = asked_[*rows++ = question(p)];
        const Question ask(*solvers_[0], *what.objective, what.open);
        ask.playouts(p, what.state, values);
        for (const CardValue& card : values) *rows++ = static_cast<std::int16_t>(card.value);
    }
}

Stop Layouts::value(Solver& solver, const Problem& p, u8 number, std::int16_t* row) const {
    const Asked& what = asked_[number];
    const Question ask(solver, *what.objective, what.open);
    int low = 0, high = 0;
    what.objective->span(tricks_left(p), what.state, low, high);
    if (const Stop why = ask.bounds(p, what.state, low, high, what.guess); low < high) return why;
    *row++ = number;
    if (!valued_) {
        *row = static_cast<std::int16_t>(low);
        return Stop::none;
    }
    std::vector<CardValue> values;
    const Stop why = ask.card_values(p, what.state, low, values);
    if (why != Stop::none) return why;
    for (const CardValue& card : values) *row++ = static_cast<std::int16_t>(card.value);
    return Stop::none;
}

void Layouts::work(Run& run, Solver& solver, bool leading) {
    Limits limits = run.limits;
    limits.interrupted = leading ? Run::interrupted : Run::asked_to_stop;
    limits.context = &run;
    Stop why = Stop::none;
    try {
        while (why == Stop::none) {
            if (leading) run.poll();
            if (run.stopping) break;
            const std::size_t i = run.next++;
            if (i >= run.count) break;
            if (!run.left(limits.seconds)) {
                why = Stop::time;
                break;
            }
            // The number of nodes for a layout must not depend on earlier searches.
            solver.clear();
            solver.limit(limits);
            const Problem p = dealt(run.hands + i * static_cast<std::size_t>(base_.players));
            why = value(solver, p, question(p), run.rows + i * width());
            if (why != Stop::none && why != Stop::nodes) break;
            const std::lock_guard<std::mutex> guard(lock_);
            run.nodes[i] = 1 + solver.nodes();
            while (finished_ < run.count && run.nodes[finished_]) {
                const u64 sum = nodes_ + run.nodes[finished_] - 1;
                if (run.limits.nodes && sum >= run.limits.nodes) {
                    run.stopping = true;
                    run.why = Stop::nodes;
                    break;
                }
                nodes_ = sum;
                ++finished_;
            }
            why = Stop::none;
        }
    } catch (...) {
        const std::lock_guard<std::mutex> guard(lock_);
        run.stopping = true;
        if (!run.failed) run.failed = std::current_exception();
    }
    if (why == Stop::none) return;
    run.stopping = true;
    const std::lock_guard<std::mutex> guard(lock_);
    // A search that stopped only because another thread did was not interrupted.
    if (run.why == Stop::none && why == Stop::time) run.why = why;
}

void Layouts::guess(const std::int16_t* rows, std::size_t count) {
    std::map<std::pair<int, int>, std::size_t> often;
    std::vector<std::size_t> most(asked_.size(), 0);
    for (; count; --count, rows += width()) {
        Asked& asked = asked_[static_cast<std::size_t>(rows[0])];
        const auto [low, high] = std::minmax_element(rows + 1, rows + width());
        const bool gains = asked.objective->sides.side >> to_play(base_) & 1;
        const int value = gains ? *high : *low;
        const std::size_t seen = ++often[{rows[0], value}];
        if (seen <= most[static_cast<std::size_t>(rows[0])]) continue;
        most[static_cast<std::size_t>(rows[0])] = seen;
        asked.guess = value;
    }
}

Stop Layouts::run(const u64* hands, std::size_t count, int threads, const Limits& limits,
                  std::int16_t* rows) {
    Run run(hands, count, limits, rows);
    {
        const std::lock_guard<std::mutex> guard(lock_);
        finished_ = 0;
        nodes_ = 0;
    }
    const std::size_t crew = std::min(static_cast<std::size_t>(threads), count ? count : 1);
    while (solvers_.size() < crew) solvers_.push_back(Solver::make(memory_, plain_));
    std::vector<std::thread> others;
    const auto help = [&](Solver* solver) {
        work(run, *solver, false);
        const std::lock_guard<std::mutex> guard(lock_);
        --run.working;
        run.idle.notify_one();
    };
    try {
        for (std::size_t i = 1; i < crew; ++i) {
            {
                const std::lock_guard<std::mutex> guard(lock_);
                ++run.working;
            }
            others.emplace_back(help, solvers_[i].get());
        }
    } catch (const std::system_error&) {
        // No more threads are available; the existing ones do all the work.
        const std::lock_guard<std::mutex> guard(lock_);
        --run.working;
    }
    work(run, *solvers_[0], true);
    {
        std::unique_lock<std::mutex> guard(lock_);
        while (run.working) {
            run.idle.wait_for(guard, std::chrono::milliseconds(10));
            guard.unlock();
            Run::interrupted(&run);
            guard.lock();
        }
    }
    for (std::thread& helper : others) helper.join();
    if (run.failed) std::rethrow_exception(run.failed);
    guess(rows, finished());
    if (finished() == count) return Stop::none;
    return run.why == Stop::none ? Stop::interrupt : run.why;
}

std::size_t Layouts::finished() const {
    const std::lock_guard<std::mutex> guard(lock_);
    return finished_;
}

u64 Layouts::nodes() const {
    const std::lock_guard<std::mutex> guard(lock_);
    return nodes_;
}

}  // namespace spadille
