"""Drives the model runner over several steps, beside a reference that does the same work in plain torch."""

import random
from dataclasses import dataclass, field
from typing import Any

import reference
import torch
from toy_models import HIDDEN, ToyDraft, ToyTarget, toy_tables


@dataclass
class Request:
    """One request: its prompt, how it samples, and what it has got so far."""

    slot: int
    prompt: list[int]
    temperature: float
    seed: int
    computed: int = 0  # tokens whose state the target keeps
    output: list[int] = field(default_factory=list)
    drafts: list[int] = field(default_factory=list)
    draft_logits: torch.Tensor | None = None  # [steps, V], after temperature

    @property
    def in_prefill(self) -> bool:
        return self.computed < len(self.prompt)


@dataclass(frozen=True)
class Settings:
    """Sizes and choices of one run; `temperatures` are dealt to the requests in turn."""

    method: str
    num_reqs: int = 6
    num_steps: int = 3
    vocab_size: int = 1500
    rounds: int = 5
    temperatures: tuple[float, ...] = (0.0, 0.7, 1.3)
    rates: tuple[float, ...] = (0.8, 0.6, 0.5, 0.4, 0.3)
    max_model_len: int = 64
    seed: int = 0


class ReferenceRunner:
    """The model runner's step, request by request."""

    def __init__(self, settings: Settings, target: ToyTarget, draft: ToyDraft) -> None:
        self.settings = settings
        self.target = target
        self.draft = draft

    def verify(self, request: Request, tokens: list[int], drafts: list[int]) -> list[int]:
        """The tokens sampled after `tokens`, which end with `drafts`; none before the prompt's end."""
        if request.computed + len(tokens) < len(request.prompt):
            return []
        positions = list(range(request.computed, request.computed + len(tokens)))
        hidden = self.target.forward(torch.tensor(tokens, dtype=torch.int32), torch.tensor(positions))
        count = len(drafts) + 1
        logits = reference.apply_temperature(self.target.compute_logits(hidden[-count:]), request.temperature)
        positions = positions[-count:]
        if self.settings.method == "probabilistic" and drafts:
            assert request.draft_logits is not None
            return reference.probabilistic(
                logits, request.draft_logits, drafts, positions, request.temperature, request.seed
            )
        drawn = [
            reference.draw(row, request.temperature, request.seed, pos, reference.TARGET)
            for row, pos in zip(logits, positions, strict=True)
        ]
        if self.settings.method == "synthetic":
            rates = torch.tensor(self.settings.rates, dtype=torch.float32)
            decisions = reference.synthetic_decisions(len(drafts), request.seed, positions, rates)
            return reference.synthetic(drawn, drafts, decisions)
        return reference.strict(drawn, drafts)

    def propose(self, request: Request, kept: list[int], next_token: int) -> tuple[list[int], torch.Tensor]:
        """Drafts after `next_token`, and their logits [steps, V]; `kept` leaves out rejected tokens."""
        last = request.computed + len(kept) - 1
        hidden = self.target.forward(torch.tensor(kept[-1:], dtype=torch.int32), torch.tensor([last]))
        token, drafts, rows = next_token, [], []
        for step in range(self.settings.num_steps):
            position = min(last + step, self.settings.max_model_len - 1)
            hidden = self.draft.forward(
                torch.tensor([token], dtype=torch.int32), torch.tensor([position]), hidden
            )
            row = reference.apply_temperature(self.draft.compute_logits(hidden)[0], request.temperature)
            token = reference.draw(row, request.temperature, request.seed, position + 1, reference.DRAFT)
            drafts.append(token)
            rows.append(row)
        return drafts, torch.stack(rows)

    def autoregressive(self, request: Request, count: int) -> list[int]:
        """`count` tokens of plain sampling from the target, one at a time."""
        token, out = request.prompt[-1], []
        for position in range(len(request.prompt) - 1, len(request.prompt) - 1 + count):
            hidden = self.target.forward(torch.tensor([token], dtype=torch.int32), torch.tensor([position]))
            logits = reference.apply_temperature(self.target.compute_logits(hidden)[0], request.temperature)
            token = reference.draw(logits, request.temperature, request.seed, position, reference.TARGET)
            out.append(token)
        return out


def make_requests(settings: Settings, rng: random.Random) -> list[Request]:
    """Requests in scattered slots, with prompts of one to nine tokens."""
    slots = rng.sample(range(settings.num_reqs + 3), settings.num_reqs)
    return [
        Request(
            slot=slot,
            prompt=[rng.randrange(settings.vocab_size) for _ in range(rng.randint(1, 9))],
            temperature=settings.temperatures[r % len(settings.temperatures)],
            seed=rng.getrandbits(63) if r % 2 else rng.getrandbits(20),
        )
        for r, slot in enumerate(slots)
    ]


def make_runner(package: Any, settings: Settings, device: torch.device) -> tuple[Any, ReferenceRunner]:
    """The package's runner on `device` and its reference on the CPU, over the same tables."""
    target, draft = toy_tables(settings.vocab_size, settings.seed)
    config = package.model_runner.SpecDecodeConfig(
        max_num_reqs=settings.num_reqs + 3,
        max_num_tokens=16 * settings.num_reqs,
        max_model_len=settings.max_model_len,
        vocab_size=settings.vocab_size,
        hidden_size=HIDDEN,
        num_speculative_steps=settings.num_steps,
        rejection_method=settings.method,
        acceptance_rates=settings.rates[: settings.num_steps],
    )
    runner = package.model_runner.ModelRunner(config, ToyTarget(target.to(device)), device)
    runner.load(ToyDraft(draft.to(device)))
    return runner, ReferenceRunner(settings, ToyTarget(target), ToyDraft(draft))


def schedule(settings: Settings, request: Request, rng: random.Random) -> tuple[list[int], list[int]]:
    """The request's tokens of this step, and the drafts at their end: none to all of those proposed."""
    if request.in_prefill:
        chunk = rng.randint(1, 6)
        return request.prompt[request.computed : request.computed + chunk], []
    drafts = request.drafts[: rng.randint(0, settings.num_steps)]
    return [request.output[-1], *drafts], drafts


def run_chain(package: Any, settings: Settings, device: torch.device) -> dict[str, int]:
    """Run `settings.rounds` steps; raise AssertionError where the runner and the reference differ.

    Returns counts of what was covered: steps, tokens, drafts kept, drafts rejected, prompts left unfinished.
    """
    rng = random.Random(settings.seed)
    requests = make_requests(settings, rng)
    runner, ref = make_runner(package, settings, device)
    for request in requests:
        runner.states.add_request(request.slot, request.prompt, request.temperature, 1.0, request.seed)
    runner.states.apply()
    scheduled_request = package.input_batch.ScheduledRequest

    covered = {"steps": 0, "tokens": 0, "kept": 0, "rejected": 0, "unfinished": 0}
    for _ in range(settings.rounds):
        work = [(request, *schedule(settings, request, rng)) for request in requests]
        rng.shuffle(work)
        batch = runner.prepare_inputs(
            [
                scheduled_request(
                    f"request-{request.slot}", request.slot, tokens, request.computed, len(drafts)
                )
                for request, tokens, drafts in work
            ]
        )
        output, proposed = runner.step(batch)
        counts = output.num_sampled.tolist()
        sampled = output.sampled_token_ids.tolist()
        flat = output.flat_token_ids.tolist() if output.flat_token_ids is not None else None
        proposed = proposed.tolist()
        place = 0
        for r, (request, tokens, drafts) in enumerate(work):
            expected = ref.verify(request, tokens, drafts)
            got = sampled[r][: counts[r]]
            assert got == expected, f"request {r}: sampled {got}, reference {expected}"
            if flat is not None and expected:
                padded = expected + [-1] * (len(drafts) + 1 - len(expected))
                assert flat[place : place + len(drafts) + 1] == padded, f"request {r}: packed tokens differ"
            place += len(drafts) + 1

            num_rejected = len(drafts) + 1 - len(expected) if expected else 0
            kept = tokens[: len(tokens) - num_rejected]
            computed = request.computed + len(kept)
            next_token = expected[-1] if expected else request.prompt[computed]
            new_drafts, rows = ref.propose(request, kept, next_token)
            assert proposed[r] == new_drafts, f"request {r}: drafts {proposed[r]}, reference {new_drafts}"
            logits = runner.speculator.draft_logits[request.slot].cpu().clone()
            torch.testing.assert_close(logits, rows, rtol=1e-6, atol=1e-6)

            request.computed, request.drafts, request.draft_logits = computed, new_drafts, logits
            request.output += expected
            covered["tokens"] += len(expected)
            covered["kept"] += max(len(expected) - 1, 0)
            covered["rejected"] += num_rejected
            covered["unfinished"] += not expected
        covered["steps"] += 1

    for request in requests:
        follows_target = settings.method == "strict" or (
            settings.method == "probabilistic" and request.temperature == 0.0
        )
        if follows_target:
            plain = ref.autoregressive(request, len(request.output))
            assert request.output == plain, f"speculation changed the output: {request.output}, plain {plain}"
    return covered
