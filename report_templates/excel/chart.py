"""The native charts of the workbook: bars of the cost lines, the tornado, and the months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from report_templates.excel.cells import Place, Sheet, column_number
from report_templates.style import LIGHT

if TYPE_CHECKING:
    from openpyxl.chart.shapes import GraphicalProperties
    from openpyxl.chart.text import RichText
    from openpyxl.chart.title import Title

_CM_PER_BAR, _CM_FRAME = 0.85, 2.0
_WIDTH_CM = 35.6
_POINTS_PER_CM = 28.35  # 72 points an inch
_ROW_POINTS = 15.0
_MONTH_CM = (6.8, 26.0)  # height and width of a chart of the months
_MOST_LABELS = 13  # months whose amounts can stand at their columns
MonthChart = Literal["column", "line"]


@dataclass(frozen=True, slots=True)
class ChartPaint:
    """What the charts of one workbook have in common: font, number format, colour, and the unit of the amounts."""

    font: str
    number: str
    tone: str
    unit: str


def add_cost_chart(sheet: Sheet, title: Place, amounts: tuple[Place, ...], font: str, number: str, tone: str) -> int:
    """Bars of the amounts, one under the other, over the cell of their title; gives the last row they cover.

    The title is linked to its cell, so that it stays true when an input is changed.
    """
    from openpyxl.chart import BarChart, Reference

    page, first, last = sheet.page, amounts[0].row, amounts[-1].row
    chart = BarChart()
    chart.type, chart.style, chart.gapWidth = "bar", None, 45
    chart.add_data(Reference(page, min_col=6, min_row=first, max_row=last))
    chart.set_categories(Reference(page, min_col=2, min_row=first, max_row=last))
    chart.legend = None
    chart.title = _linked_title(title, font)
    height = _CM_FRAME + _CM_PER_BAR * len(amounts)
    chart.height, chart.width = height, _WIDTH_CM  # type: ignore[assignment]  # the stubs know whole cm only
    series = chart.series[0]
    series.graphicalProperties = _solid(tone)
    series.dLbls = _labels(font, number)
    chart.x_axis.delete, chart.y_axis.delete = False, True
    chart.x_axis.scaling.orientation = "maxMin"
    chart.x_axis.majorTickMark = "none"
    chart.x_axis.graphicalProperties = _outline(LIGHT.control)
    chart.x_axis.txPr = _text(font, 10)
    chart.y_axis.scaling.min = 0
    chart.y_axis.majorGridlines = None
    chart.graphical_properties = _outline(LIGHT.line)
    page.add_chart(chart, f"B{title.row - 1}")
    return title.row + int(height * _POINTS_PER_CM / _ROW_POINTS)


def add_tornado_chart(
    sheet: Sheet, title: Place, rows: tuple[int, int], font: str, number: str, tone: str, at: int
) -> int:
    """Bars from the total at one end of a driver to that at the other, widest on top; gives the last row they cover.

    The names stand in column C, the smaller end in F (drawn without colour), below and above the base in G and H.
    """
    from openpyxl.chart import BarChart, Reference

    page, (first, last) = sheet.page, rows
    chart = BarChart()
    chart.type, chart.grouping, chart.style, chart.overlap, chart.gapWidth = "bar", "stacked", None, 100, 45
    chart.add_data(Reference(page, min_col=6, max_col=8, min_row=first - 1, max_row=last), titles_from_data=True)
    chart.set_categories(Reference(page, min_col=3, min_row=first, max_row=last))
    chart.title = _linked_title(title, font)
    height = _CM_FRAME + 1.6 + _CM_PER_BAR * (last - first + 1)
    chart.height, chart.width = height, _WIDTH_CM  # type: ignore[assignment]  # the stubs know whole cm only
    hidden, below, above = chart.series
    hidden.graphicalProperties = _nothing()
    below.graphicalProperties, above.graphicalProperties = _solid(LIGHT.bar_soft), _solid(tone)
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.x_axis.scaling.orientation = "maxMin"
    chart.x_axis.majorTickMark = "none"
    chart.x_axis.tickLblPos = "low"
    chart.x_axis.txPr = chart.y_axis.txPr = _text(font, 10)
    chart.y_axis.number_format, chart.y_axis.majorGridlines = number, None
    chart.y_axis.crosses = "max"  # the order of the bars is reversed, so this is the lower edge
    chart.legend = None  # what lies left of the base is below it
    chart.graphical_properties = _outline(LIGHT.line)
    page.add_chart(chart, f"B{at}")
    return at + int(height * _POINTS_PER_CM / _ROW_POINTS)


def add_month_chart(
    sheet: Sheet, title: Place, places: Sequence[Place], header: int, paint: ChartPaint, kind: MonthChart
) -> int:
    """Columns of what each month takes, or a line of what is spent by its end; gives the last row the chart covers.

    The amounts stand in one row, the names of the months in the row `header` above them.
    """
    font, tone = paint.font, paint.tone
    from openpyxl.chart import BarChart, LineChart, Reference

    page, row = sheet.page, places[0].row
    first, last = (column_number(place.address.removesuffix(str(row))) for place in (places[0], places[-1]))
    chart = BarChart() if kind == "column" else LineChart()
    chart.style = None
    chart.add_data(Reference(page, min_col=first, max_col=last, min_row=row), from_rows=True)
    chart.set_categories(Reference(page, min_col=first, max_col=last, min_row=header))
    series = chart.series[0]
    if isinstance(chart, BarChart):
        chart.type, chart.gapWidth = "col", 45
        series.graphicalProperties = _solid(tone)
    else:
        series.graphicalProperties, series.smooth = _stroke(tone), False
        series.marker.symbol, series.marker.size = "circle", 6
        series.marker.graphicalProperties = _solid(tone)
    chart.legend = None
    chart.title = _linked_title(title, font)
    chart.height, chart.width = _MONTH_CM  # type: ignore[assignment]  # the stubs know whole cm only
    if len(places) <= _MOST_LABELS:
        series.dLbls = _labels(font, paint.number)
        series.dLbls.dLblPos = "outEnd" if kind == "column" else "t"
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.x_axis.majorTickMark = "none"
    chart.x_axis.graphicalProperties = _outline(LIGHT.control)
    chart.x_axis.txPr = chart.y_axis.txPr = _text(font, 10)
    chart.y_axis.number_format, chart.y_axis.majorGridlines = paint.number, None
    chart.y_axis.title = _axis_title(paint.unit, font)
    chart.graphical_properties = _outline(LIGHT.line)
    page.add_chart(chart, f"B{title.row - 1}")
    return title.row + int(_MONTH_CM[0] * _POINTS_PER_CM / _ROW_POINTS)


def _nothing() -> GraphicalProperties:
    from openpyxl.chart.shapes import GraphicalProperties
    from openpyxl.drawing.line import LineProperties

    return GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))


def _linked_title(title: Place, font: str) -> Title:
    from openpyxl.chart.data_source import StrData, StrRef, StrVal
    from openpyxl.chart.text import Text
    from openpyxl.chart.title import Title

    known = StrData(ptCount=1, pt=[StrVal(idx=0, v=str(title.value))])
    link = StrRef(f=title.absolute, strCache=known)
    return Title(tx=Text(strRef=link), txPr=_text(font, 13, bold=True), overlay=False)


def _axis_title(text: str, font: str) -> Title:
    from openpyxl.chart.text import Text
    from openpyxl.chart.title import Title
    from openpyxl.drawing.text import RegularTextRun

    rich = _text(font, 10)
    rich.p[0].r = [RegularTextRun(rPr=rich.p[0].pPr.defRPr, t=text)]
    return Title(tx=Text(rich=rich), overlay=False)


def _text(font: str, size: float, bold: bool = False, wrap: bool = True) -> RichText:
    from openpyxl.chart.text import RichText
    from openpyxl.drawing.text import CharacterProperties, Font, Paragraph, ParagraphProperties, RichTextProperties

    typeface = Font(typeface=font)
    style = CharacterProperties(sz=int(size * 100), b=bold, solidFill=LIGHT.text, latin=typeface, ea=typeface)
    body = RichTextProperties()
    if not wrap:
        body.__dict__["wrap"] = "none"  # openpyxl takes the word for nothing and would leave it out
    return RichText(bodyPr=body, p=[Paragraph(pPr=ParagraphProperties(defRPr=style), endParaRPr=style)])


def _labels(font: str, number: str) -> object:
    from openpyxl.chart.label import DataLabelList

    labels = DataLabelList()
    labels.showVal = True
    labels.showSerName = labels.showCatName = labels.showLegendKey = labels.showPercent = False
    labels.numFmt = f"{number};-{number};;"  # a line without a price has no bar, and no "0" either
    labels.txPr = _text(font, 10, wrap=False)  # a number is never broken
    return labels


def _solid(color: str) -> GraphicalProperties:
    from openpyxl.chart.shapes import GraphicalProperties

    return GraphicalProperties(solidFill=color)


def _stroke(color: str) -> GraphicalProperties:
    from openpyxl.chart.shapes import GraphicalProperties
    from openpyxl.drawing.line import LineProperties

    return GraphicalProperties(ln=LineProperties(solidFill=color, w=28575))  # 2.25 pt in EMU


def _outline(color: str) -> GraphicalProperties:
    from openpyxl.chart.shapes import GraphicalProperties
    from openpyxl.drawing.line import LineProperties

    return GraphicalProperties(ln=LineProperties(solidFill=color, w=9525))  # 0.75 pt in EMU
