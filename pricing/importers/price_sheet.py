"""A price sheet with columns of anybody's naming: rows to drafts. What a row does not say is asked, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pricing.importers.amounts import Amount, decimal_sign_of, read_amount, read_count, split_count
from pricing.importers.context import Lookups, Options
from pricing.importers.days import day_first_of, last_day_of, read_day
from pricing.importers.drafts import Draft, is_formula, kept_name
from pricing.importers.faults import Finding, Value
from pricing.importers.header import Header, Per, Period, PriceColumn
from pricing.importers.sheets import Sheet, SheetRow
from pricing.importers.words import currencies_in, purchase_of
from pricing.quotes import NO_INSTANCE, WORLDWIDE

ANY_REGION = WORLDWIDE[1]  # "unspecified": holds wherever the seller has room
HOURS: dict[Period, int] = {"hour": 1, "month": 730, "year": 8760}  # 365 days; a month is a twelfth (as cloud bills)
MONTHLY = "reserved-1mo"  # what a price per month is where the sheet names no purchase type: a monthly rental
_NOWHERE = frozenset(["", "-", "*", "all", "any", "global", "unspecified", "n/a", "全部", "不限"])
_IDENTITY = ("provider", "region", "zone", "instance", "gpu", "purchase")
_LAST_CENT = 0.005  # half of the last digit of a price per GPU that was rounded to cents
_ROUNDING = 1e-4  # of an instance price, as pricing.refresh allows: sources carry 4 to 6 decimals


@dataclass(slots=True)
class SheetReader:
    """Reads the rows below a header. `drafts` and `findings` fill while `read` runs."""

    sheet: Sheet
    header: Header
    options: Options
    lookups: Lookups
    drafts: list[Draft] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _signs: dict[int, str | None] = field(default_factory=dict)
    _day_first: bool | None = None
    _said: set[tuple[str, str]] = field(default_factory=set)

    def read(self) -> None:
        """Turn every row into drafts, or into findings that say why not."""
        rows = [row for row in self.sheet.rows if row.number > self.header.row]
        read_number = self.lookups.helpers.read_number
        for price in self.header.prices:
            self._signs[price.position] = decimal_sign_of((row.cell(price.position) for row in rows), read_number)
        dates = [self.header.columns[name] for name in ("date", "valid_until") if name in self.header.columns]
        self._day_first = day_first_of(row.cell(position) for position in dates for row in rows)
        for row in rows:
            self._read_row(row)

    def _text(self, row: SheetRow, name: str) -> str:
        return row.text(self.header.columns.get(name))

    def _drop(self, row: SheetRow, reason: str, **values: Value) -> None:
        self.findings.append(Finding(row.number, reason, "dropped", values))

    def _say(self, reason: str, severity: str, about: str, **values: Value) -> None:
        """Say something of the whole file once."""
        if (reason, about) not in self._said:
            self._said.add((reason, about))
            self.findings.append(Finding(None, reason, severity, values))  # type: ignore[arg-type]

    def _read_row(self, row: SheetRow) -> None:
        formula = next((name for name in _IDENTITY if is_formula(self._text(row, name))), None)
        if formula:
            self._drop(row, "formula_cell", column=self.header.names[self.header.columns[formula]])
            return
        amounts = [(price, self._amount(row, price)) for price in self.header.prices]
        filled = [(price, amount) for price, amount in amounts if amount.fault != "no_price"]
        if not filled:
            if self._text(row, "gpu") or self._text(row, "instance"):  # else a heading, a remark, a line of totals
                self._drop(row, "no_price")
            return
        base = self._base(row)
        if base is None:
            return
        for prices in self._by_purchase(row, filled):
            self._read_price(row, base, *prices)

    def _amount(self, row: SheetRow, price: PriceColumn) -> Amount:
        return read_amount(row.cell(price.position), self.lookups.helpers.read_number, self._signs[price.position])

    def _base(self, row: SheetRow) -> Draft | None:
        """Everything but purchase and price; None when the row is dropped."""
        provider = self._provider(row)
        gpu = self._gpu(row)
        if provider is None or gpu is None:
            return None
        name, count = gpu
        dates = self._dates(row)
        if dates is None:
            return None
        region, instance = self._text(row, "region"), kept_name(self._text(row, "instance"))
        notes = self._text(row, "notes").lstrip("=@+-\t ")
        return Draft(
            row=row.number,
            provider=provider,
            region=ANY_REGION if region.lower() in _NOWHERE else self.lookups.region(provider, kept_name(region)),
            zone=kept_name(self._text(row, "zone")),
            instance_type=instance,
            gpu=name,
            gpu_count=count,
            purchase="",
            amount=0.0,
            currency="",
            as_of=dates[0],
            valid_until=dates[1],
            notes=kept_name(notes),
            rows=(row.number,),
        )

    def _provider(self, row: SheetRow) -> str | None:
        text = self._text(row, "provider") or self.options.provider or ""
        code = self.lookups.provider(text) if text else ""
        if not code:
            self._drop(row, "no_provider")
            self._say("provider_not_stated", "question", "")
            return None
        if not self.lookups.helpers.catalogue.provider_rows.get(code):
            self._say("new_provider", "note", code, provider=code, text=text)
        return code

    def _gpu(self, row: SheetRow) -> tuple[str, int] | None:
        """The GPU and how many; a count of 0 is "not stated"."""
        text, written = split_count(self._text(row, "gpu"))
        if not text:
            self._drop(row, "no_gpu")
            return None
        found = self.lookups.gpu(text)
        if found is None:
            self._drop(row, "unknown_gpu", text=text)
            return None
        name, other = found
        if other:
            self._say("gpu_ambiguous", "note", text, text=text, gpu=name, other=other)
        cell = row.cell(self.header.columns.get("gpu_count"))
        count = read_count(cell)
        if cell is not None and count is None:
            self._drop(row, "bad_gpu_count", text=self._text(row, "gpu_count"))
            return None
        if count is None or (count == 1 and written):  # "1 server of 8x H100"
            count = written
        known = self.lookups.gpus_per_instance.get((name, self._text(row, "instance").lower()))
        return name, count or known or 0

    def _dates(self, row: SheetRow) -> tuple[str, str | None] | None:
        """Date and end of validity; None when the row is dropped."""
        days: list[str | None] = []
        for name in ("date", "valid_until"):
            cell = row.cell(self.header.columns.get(name))
            day, lost = (None, False) if cell is None else read_day(cell, self._day_first)
            if cell is not None and day is None:
                self._drop(row, "bad_date", text=self._text(row, name))
                return None
            if lost and name == "valid_until":
                self._drop(row, "date_two_readings", text=self._text(row, name))
                return None
            if lost:
                self._say("date_ambiguous", "note", name, column=self.header.names[self.header.columns[name]])
            days.append(day)
        as_of, until = days
        if as_of is None:
            as_of = self.options.import_day
            self._say("no_date", "note", "", as_of=as_of)
        today = self.options.today.isoformat()
        if until is not None and until < today[: len(until)]:
            self._drop(row, "expired", valid_until=until)
            return None
        if as_of > today[: len(as_of)]:
            self.findings.append(Finding(row.number, "date_in_future", "warning", {"as_of": as_of}))
        return as_of, last_day_of(until) if until else None

    def _by_purchase(
        self, row: SheetRow, filled: Sequence[tuple[PriceColumn, Amount]]
    ) -> Iterator[tuple[str, list[tuple[PriceColumn, Amount]]]]:
        """The prices of a row by purchase type: what the column is named after, else what the row says."""
        stated = self._text(row, "purchase")
        of_row = purchase_of(stated) if stated else self.options.purchase
        groups: dict[str, list[tuple[PriceColumn, Amount]]] = {}
        for price, amount in filled:
            purchase = price.purchase or of_row
            if purchase is None and ("purchase" in self.header.columns):
                self._drop(row, "unknown_purchase", text=stated)
                continue
            if purchase is None:
                period = amount.period or price.period
                purchase = MONTHLY if period == "month" else "on-demand"
                self._say("purchase_assumed", "note", price.name, column=price.name, purchase=purchase)
            groups.setdefault(purchase, []).append((price, amount))
        yield from groups.items()

    def _read_price(self, row: SheetRow, base: Draft, purchase: str, prices: list[tuple[PriceColumn, Amount]]) -> None:
        """One draft of the prices of one purchase type: per instance, per GPU or both."""
        found: dict[Per, tuple[float, str]] = {}
        for price, amount in prices:
            read = self._price(row, price, amount, base.gpu_count)
            if read is None:
                return
            per, value, currency = read
            found.setdefault(per, (value, currency))
        per_gpu, per_instance = found.get("gpu"), found.get("instance")
        count = base.gpu_count or (1 if per_gpu else 0)
        if not count:
            self._drop(row, "no_gpu_count")
            return
        value, currency = per_instance or ((per_gpu or (0.0, ""))[0] * count, (per_gpu or (0.0, ""))[1])
        if per_gpu and per_instance and per_gpu[1] == per_instance[1]:
            product = per_gpu[0] * count
            if abs(product - value) > _LAST_CENT * count + _ROUNDING * value:
                self._drop(row, "per_gpu_times_count_differs", per_gpu=per_gpu[0], count=count, instance=value)
                return
        instance = base.instance_type or (NO_INSTANCE if count == 1 else f"{count} x {base.gpu}")
        self.drafts.append(
            Draft(
                row.number, base.provider, base.region, base.zone, instance, base.gpu, count, purchase, value, currency,
                base.as_of, base.valid_until, base.notes, base.rows,
            )
        )  # fmt: skip

    def _price(self, row: SheetRow, price: PriceColumn, amount: Amount, count: int) -> tuple[Per, float, str] | None:
        """Per what, the price per hour, and its currency; None when the row is dropped."""
        if amount.fault or amount.value is None:
            values: dict[str, Value] = {"text": row.text(price.position)}
            if amount.value is not None and amount.other is not None:
                values |= {"value": amount.value, "other": amount.other}
            self._drop(row, amount.fault, **values)
            return None
        if amount.value <= 0:
            self._drop(row, "negative_price" if amount.value < 0 else "zero_price", text=row.text(price.position))
            return None
        currency = self._currency(row, price, amount)
        per: Per | None = price.per or amount.per or self.options.price_per or ("instance" if count == 1 else None)
        if currency is None:
            return None
        if per is None:
            self._drop(row, "price_unit_unknown", column=price.name)
            self._say("price_unit_not_stated", "question", price.name, column=price.name)
            return None
        period = amount.period or price.period
        if period is None:
            self._say("hour_assumed", "note", price.name, column=price.name)
        return per, amount.value / HOURS[period or "hour"], currency

    def _currency(self, row: SheetRow, price: PriceColumn, amount: Amount) -> str | None:
        """The one currency that the row, the cell, the column or the user names; None when the row is dropped."""
        cell = self._text(row, "currency")
        named = currencies_in(cell) or ((cell.upper(),) if re.fullmatch(r"[A-Za-z]{3}", cell) else ())
        marks = [codes for codes in (named, amount.currencies, price.currencies) if codes]
        possible = set(marks[0]).intersection(*marks[1:]) if marks else set()
        if marks and not possible:
            self._drop(row, "currency_conflict", text=row.text(price.position))
            return None
        stated = (self.options.currency or "").upper()
        if len(possible) > 1:
            possible &= {"CNY"} if self.sheet.is_chinese else {stated}
        elif not marks and stated:
            possible = {stated}
        if len(possible) == 1:
            return possible.pop()
        self._drop(row, "no_currency")
        self._say("currency_not_stated", "question", price.name, column=price.name)
        return None
