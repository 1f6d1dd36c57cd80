"""Modules without Transformers: a CNN with batch norm, an LSTM, a diffusion U-Net, a graph network, and a DLRM with bags of embeddings.

Each is written as people write it. `SIZES` has a size that was published for such a model, and one that trains in a test.
"""

from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    """A bottleneck of ResNet-50 (He et al., 2015)."""

    def __init__(self, i: int, width: int, stride: int):
        super().__init__()
        o = width * 4
        self.convs = nn.ModuleList([nn.Conv2d(i, width, 1, bias=False), nn.Conv2d(width, width, 3, stride, 1, bias=False),
                                    nn.Conv2d(width, o, 1, bias=False)])  # fmt: skip
        self.norms = nn.ModuleList([nn.BatchNorm2d(width), nn.BatchNorm2d(width), nn.BatchNorm2d(o)])
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o)) if i != o or stride > 1 else nn.Identity()

    def forward(self, x: Any) -> Any:
        h = x
        for k, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            h = norm(conv(h))
            h = F.relu(h, inplace=True) if k < 2 else h
        return F.relu(h + self.down(x))


class ResNet(nn.Module):
    def __init__(self, width: int, depths: tuple[int, ...], classes: int):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        blocks, i = [], width
        for k, depth in enumerate(depths):
            for n in range(depth):
                blocks.append(Block(i, width << k, 2 if k and not n else 1))
                i = (width << k) * 4
        self.blocks, self.head = nn.Sequential(*blocks), nn.Linear(i, classes)

    def forward(self, image: Any, labels: Any) -> Any:
        h = F.max_pool2d(F.relu(self.norm(self.stem(image))), 3, 2, 1)
        h = self.blocks(h)
        return F.cross_entropy(self.head(F.adaptive_avg_pool2d(h, 1).flatten(1)), labels)


class Lstm(nn.Module):
    """A language model by an LSTM (Zaremba et al., 2014)."""

    def __init__(self, vocabulary: int, width: int, layers: int):
        super().__init__()
        self.embed, self.lstm = nn.Embedding(vocabulary, width), nn.LSTM(width, width, layers, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens: Any, labels: Any) -> Any:
        h, _ = self.lstm(self.embed(tokens))
        return F.cross_entropy(self.head(h).flatten(0, 1), labels.flatten())


class Residual(nn.Module):
    def __init__(self, i: int, o: int, time: int, groups: int):
        super().__init__()
        self.one, self.two = nn.Conv2d(i, o, 3, padding=1), nn.Conv2d(o, o, 3, padding=1)
        self.n1, self.n2, self.time = nn.GroupNorm(groups, i), nn.GroupNorm(groups, o), nn.Linear(time, o)
        self.skip = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x: Any, t: Any) -> Any:
        h = self.one(F.silu(self.n1(x))) + self.time(F.silu(t))[:, :, None, None]
        return self.skip(x) + self.two(F.silu(self.n2(h)))


class Attention(nn.Module):
    def __init__(self, width: int, groups: int):
        super().__init__()
        self.norm, self.qkv, self.out = nn.GroupNorm(groups, width), nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x: Any) -> Any:
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, 1, c, h * w).transpose(-1, -2).unbind(1)
        a = F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(b, c, h, w)
        return x + self.out(a)


class UNet(nn.Module):
    """The noise in an image, of DDPM (Ho et al., 2020)."""

    def __init__(self, width: int, multiples: tuple[int, ...], groups: int):
        super().__init__()
        sizes = [width * m for m in multiples]
        self.width, time = width, 4 * width
        self.time = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.enter = nn.Conv2d(3, width, 3, padding=1)
        self.down, self.shrink = nn.ModuleList(), nn.ModuleList()
        before = width
        for s in sizes:
            self.down.append(Residual(before, s, time, groups))
            self.shrink.append(nn.Conv2d(s, s, 3, 2, 1))
            before = s
        self.middle, self.attention = Residual(before, before, time, groups), Attention(before, groups)
        self.up, self.grow = nn.ModuleList(), nn.ModuleList()
        for s in reversed(sizes):
            self.grow.append(nn.ConvTranspose2d(before, s, 4, 2, 1))
            self.up.append(Residual(2 * s, s, time, groups))
            before = s
        self.leave = nn.Conv2d(before, 3, 3, padding=1)

    def forward(self, image: Any, noise: Any, time: Any) -> Any:
        rates = torch.exp(-torch.arange(self.width // 2) * (9.2 / (self.width // 2))).to(time.dtype)
        angles = time[:, None] * 1000 * rates
        t = self.time(torch.cat([angles.sin(), angles.cos()], -1))
        kept = torch.cos(time * 1.57)[:, None, None, None]
        h = self.enter(kept * image + torch.sqrt(1 - kept**2) * noise)
        held = []
        for block, shrink in zip(self.down, self.shrink):
            h = block(h, t)
            held.append(h)
            h = shrink(h)
        h = self.attention(self.middle(h, t))
        for block, grow in zip(self.up, self.grow):
            h = block(torch.cat([grow(h), held.pop()], 1), t)
        return F.mse_loss(self.leave(h), noise)


class Gnn(nn.Module):
    """A graph convolution with residuals (Kipf and Welling, 2016; as DeeperGCN has it) over edges as pairs of indices."""

    def __init__(self, features: int, width: int, layers: int, classes: int):
        super().__init__()
        self.enter = nn.Linear(features, width)
        self.layers = nn.ModuleList(nn.Linear(2 * width, width) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.head = nn.Linear(width, classes)

    def forward(self, nodes: Any, edges: Any, labels: Any) -> Any:
        h = self.enter(nodes)
        degree = torch.zeros(nodes.shape[0]).index_add(0, edges[1], torch.ones(edges.shape[1])).clamp(min=1)
        for layer, norm in zip(self.layers, self.norms):
            sums = torch.zeros_like(h).index_add(0, edges[1], h[edges[0]])
            h = h + F.relu(layer(torch.cat([norm(h), sums / degree[:, None]], -1)))
        return F.cross_entropy(self.head(h), labels)


class Dlrm(nn.Module):
    """Recommendation: bags of embeddings, products of pairs of features, and a net over them (Naumov et al., 2019)."""

    def __init__(self, rows: int, tables: int, width: int, dense: int, hidden: int):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(rows, width, mode="sum") for _ in range(tables))
        self.bottom = nn.Sequential(nn.Linear(dense, hidden), nn.ReLU(), nn.Linear(hidden, width), nn.ReLU())
        pairs = (tables + 1) * tables // 2
        self.top = nn.Sequential(nn.Linear(width + pairs, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.register_buffer("row", torch.tensor([i for i in range(tables + 1) for _ in range(i)], device="cpu"))
        self.register_buffer("column", torch.tensor([j for i in range(tables + 1) for j in range(i)], device="cpu"))

    def forward(self, numbers: Any, categories: Any, labels: Any) -> Any:
        x = self.bottom(numbers)
        all = torch.stack([x, *(bag(c) for bag, c in zip(self.bags, categories.unbind(1)))], 1)
        pairs = torch.bmm(all, all.transpose(1, 2))[:, self.row, self.column]
        return F.binary_cross_entropy_with_logits(self.top(torch.cat([x, pairs], 1)).squeeze(-1), labels)


def images(n: int, size: int, classes: int) -> dict[str, Any]:
    return {"image": torch.randn(n, 3, size, size), "labels": torch.randint(0, classes, (n,))}


def words(n: int, length: int, vocabulary: int) -> dict[str, Any]:
    return {k: torch.randint(0, vocabulary, (n, length)) for k in ("tokens", "labels")}


def noisy(n: int, size: int) -> dict[str, Any]:
    return {"image": torch.randn(n, 3, size, size), "noise": torch.randn(n, 3, size, size), "time": torch.rand(n)}


def graph(nodes: int, edges: int, features: int, classes: int) -> dict[str, Any]:
    return {"nodes": torch.randn(nodes, features), "edges": torch.randint(0, nodes, (2, edges)), "labels": torch.randint(0, classes, (nodes,))}


def clicks(n: int, rows: int, tables: int, bag: int, dense: int) -> dict[str, Any]:
    return {"numbers": torch.randn(n, dense), "categories": torch.randint(0, rows, (n, tables, bag)), "labels": torch.rand(n).round()}


Made = Callable[[], tuple[Any, dict[str, Any]]]
# By name: the published size, with tensors of the batch on whatever device is set, and the small one.
SIZES: dict[str, tuple[Made, Made]] = {
    "ResNet-50": (lambda: (ResNet(64, (3, 4, 6, 3), 1000), images(256, 224, 1000)), lambda: (ResNet(8, (1, 2), 10), images(16, 32, 10))),
    "LSTM of 2 x 1500": (lambda: (Lstm(10000, 1500, 2), words(64, 35, 10000)), lambda: (Lstm(32, 16, 2), words(16, 6, 32))),
    "DDPM U-Net": (lambda: (UNet(128, (1, 2, 2, 2), 32), noisy(128, 32)), lambda: (UNet(8, (1, 2), 4), noisy(8, 8))),
    "GCN for ogbn-arxiv": (lambda: (Gnn(128, 256, 8, 40), graph(169343, 1166243, 128, 40)), lambda: (Gnn(8, 16, 2, 4), graph(32, 64, 8, 4))),
    "DLRM for Criteo": (lambda: (Dlrm(1000000, 26, 128, 13, 512), clicks(65536, 1000000, 26, 1, 13)),
                        lambda: (Dlrm(24, 3, 8, 4, 16), clicks(16, 24, 3, 2, 4))),
}  # fmt: skip
