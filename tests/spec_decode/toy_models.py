"""Two models whose arithmetic is exact: hidden states are small whole numbers, logits are rows of a table.

So a GPU and a CPU give the same bits. The next token depends on the last token and its position alone. The
draft model agrees with the target in most places, and reads the hidden state that it is given.
"""

import torch

ROWS = 61
HIDDEN = 8


class ToyTarget:
    """Logits after token t at position p: row (7 t + 3 p + 1) mod 61 of the table [61, V]."""

    def __init__(self, table: torch.Tensor) -> None:
        self.table = table

    def forward(self, input_ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Hidden states float32 [n, 8]."""
        row = (7 * input_ids.to(torch.int64) + 3 * positions + 1) % ROWS
        channel = torch.arange(HIDDEN, device=row.device)
        return ((row.unsqueeze(-1) + 5 * channel) % ROWS).to(torch.float32)

    def compute_logits(self, hidden_states: torch.Tensor) -> torch.Tensor:
        """Logits [n, V], of the table's dtype."""
        return self.table[hidden_states[:, 0].to(torch.int64)]


class ToyDraft:
    """Reads the token after a position: row of the target, unless the state before says to be wrong."""

    def __init__(self, table: torch.Tensor) -> None:
        self.table = table

    def forward(
        self, input_ids: torch.Tensor, positions: torch.Tensor, hidden_states: torch.Tensor
    ) -> torch.Tensor:
        """Hidden states float32 [n, 8]."""
        row = (7 * input_ids.to(torch.int64) + 3 * (positions + 1) + 1) % ROWS
        previous = hidden_states[:, HIDDEN - 1].to(torch.int64)
        row = torch.where(previous % 4 == 0, (row + 1 + previous) % ROWS, row)
        channel = torch.arange(HIDDEN, device=row.device)
        return ((row.unsqueeze(-1) + 5 * channel) % ROWS).to(torch.float32)

    def compute_logits(self, hidden_states: torch.Tensor) -> torch.Tensor:
        """Logits [n, V], of the table's dtype."""
        return self.table[hidden_states[:, 0].to(torch.int64)]


def toy_tables(vocab_size: int, seed: int, noise: float = 0.3) -> tuple[torch.Tensor, torch.Tensor]:
    """The target's and the draft's table, float32 [61, V]: the second is the first with some noise."""
    generator = torch.Generator().manual_seed(seed)
    target = 2.0 * torch.randn(ROWS, vocab_size, generator=generator)
    draft = target + noise * torch.randn(ROWS, vocab_size, generator=generator)
    return target, draft
