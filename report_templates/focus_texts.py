"""The words of a row of a FOCUS-shaped forecast: who charges, for what, where, and at which kind of price."""

from __future__ import annotations

import json
from collections.abc import Mapping

from desktop_app.budget.budget import CostLine
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Words
from report_templates.fingerprint import result_mark
from report_templates.focus_items import COMMITMENT, ITEMS, PRICING_CATEGORIES, UNITS, FocusItem
from report_templates.focus_numbers import COMMITTED

_INTERNAL = "Internal"  # who charges for what the organisation does itself, where it has no name


class FocusTexts:
    """Makes the words of the rows of one dossier; only descriptions are in the reader's language."""

    def __init__(self, dossier: Dossier, words: Words) -> None:
        """What all rows have in common is told once."""
        self._budget, self._organisation, self._words = dossier.base, dossier.organisation, words
        self._signed = COMMITTED in dossier.base.ledger
        self._common = self._common_texts()

    def of_line(self, line: CostLine) -> Mapping[str, str]:
        """Column -> text, of a line of money."""
        item = ITEMS[line.key.removeprefix("cost.")]
        return {**self._common, **self._texts(item, line), "ChargeDescription": self._words(f"ledger.{line.key}")}

    def of_commitment(self) -> Mapping[str, str]:
        """Of what a contract binds; buying it is priced at the agreed rate, only what it covers is committed."""
        run = next(line for line in self._budget.cost_lines if line.key == "cost.run")
        description = self._words(f"ledger.{COMMITTED}")
        texts = {"PricingCategory": "Standard", "ChargeDescription": description}
        return {**self._common, **self._texts(COMMITMENT, run), **texts}

    def _common_texts(self) -> dict[str, str]:
        budget = self._budget
        place, scenario = budget.place, budget.scenario
        tags = {
            "model": budget.estimate.model.name,
            "method": scenario.job.method,
            "gpu": budget.estimate.cluster.gpu.name,
            "cost_centre": self._organisation.cost_centre,
        }
        return {
            "BillingCurrency": budget.currency,
            "RegionId": place.region or "",
            "RegionName": f"{place.cloud.city}, {place.cloud.country}" if place.cloud is not None else "",
            "Tags": json.dumps({key: text for key, text in tags.items() if text}, ensure_ascii=False),
            "x_Percentile": "base",
            "x_ScenarioId": scenario.name,
            "x_EstimateId": result_mark(budget),
        }

    def _texts(self, item: FocusItem, line: CostLine) -> dict[str, str]:
        is_gpu = item.service == COMMITMENT.service
        unit = UNITS.get(line.quantity_unit, "") if line.unit_price_line is not None else ""
        quote, basis = self._budget.quote, line.price_line
        is_consumed = item.charge == "Usage" and line.key != "cost.unused"
        return {
            "ChargeCategory": item.charge,
            "ChargeFrequency": item.frequency,
            **dict.fromkeys(("ProviderName", "PublisherName", "InvoiceIssuerName"), self._seller(item, is_gpu)),
            "ServiceCategory": item.category,
            "ServiceName": item.service,
            "ResourceType": self._budget.estimate.cluster.gpu.name if is_gpu else "",
            "SkuId": quote.instance_type if is_gpu and quote is not None else "",
            "SkuPriceId": basis.row_text if basis is not None else "",
            "PricingCategory": self._pricing(item, is_gpu),
            "PricingUnit": unit,
            "ConsumedUnit": unit if is_consumed else "",
            "CommitmentDiscountType": self._budget.scenario.price.purchase if self._signed and is_gpu else "",
            "x_PriceRetrievedAt": basis.source.as_of if basis is not None else "",
        }

    def _seller(self, item: FocusItem, is_gpu: bool) -> str:
        is_owned = is_gpu and self._budget.scenario.price.purchase == "owned"
        if item.inside or is_owned:
            return self._organisation.name or _INTERNAL
        return self._budget.place.provider or ""

    def _pricing(self, item: FocusItem, is_gpu: bool) -> str:
        if item.charge in ("Tax", "Credit"):
            return ""
        if not is_gpu:
            return "Other" if item.inside else "Standard"
        return "Committed" if self._signed else PRICING_CATEGORIES.get(self._budget.scenario.price.purchase, "Other")
