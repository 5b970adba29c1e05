/**
 * The note of fixed assets: by class, which is the account of their cost, what stood at the
 * beginning of the year, came and went, and stands at the end; depreciation likewise, and book values.
 *
 * @source IAS 16.73
 */
import { compareText } from "../../../wire/fold.ts";
import { addDays, shortDate } from "../../dates/calendar.ts";
import { type Figure, sum } from "../../figures/expression.ts";
import { type FixedAssetsRequest, figuresOf, type RegisteredAsset } from "../fixed-assets.ts";
import { figureRow, headerRow, type ReportRow, sectionRow } from "../report-rows.ts";

/** Figures of a class: at the beginning, added, gone, at the end. */
type ClassMovement = readonly [opening: Figure, added: Figure, gone: Figure, closing: Figure];

/** The rows of the note. */
export function assetNote(request: FixedAssetsRequest): ReportRow[] {
  const { assets, accounts, period } = request;
  const nameOf = ({ asset }: RegisteredAsset) =>
    accounts.find(({ AccountID }) => AccountID === asset.AssetAccount?.AccountID)?.Name ?? "";
  const classes = [...Map.groupBy(assets, nameOf)].toSorted(([a], [b]) => compareText(a, b));
  const movements = classes.map(([label, own], at) =>
    movementsOf(`class-${at}`, label, own, period),
  );
  const notePart = (title: string, of: keyof ReturnType<typeof movementsOf>, id: string) => {
    const ownMovements = movements.map((movement) => movement[of]);
    const total = ownMovements[0]?.map((_, at) =>
      sum(
        [id, "Total", "SectionTotal"],
        ownMovements.map((each) => each[at] as Figure),
      ),
    );
    return sectionRow(title, [
      ...ownMovements.map((figures) => figureRow("Row", figures)),
      ...(total === undefined ? [] : [figureRow("SummaryRow", total)]),
    ]);
  };
  return [
    headerRow([
      "",
      `At ${shortDate(addDays(period.from, -1))}`,
      "Added",
      "Disposed of",
      `At ${shortDate(period.to)}`,
    ]),
    notePart("Cost", "cost", "total-cost"),
    notePart("Accumulated depreciation", "taken", "total-depreciation"),
    notePart("Book value", "worth", "total-book-value"),
  ];
}

function movementsOf(
  id: string,
  label: string,
  assets: readonly RegisteredAsset[],
  period: FixedAssetsRequest["period"],
) {
  const assetFigures = assets.map((asset) => ({ each: asset, figures: figuresOf(asset, period) }));
  const of = (name: "cost" | "opening" | "year", isIncluded: (asset: RegisteredAsset) => boolean) =>
    assetFigures.filter(({ each }) => isIncluded(each)).map(({ figures }) => figures[name]);
  const isOld = ({ asset }: RegisteredAsset) => asset.PurchaseDate < period.from;
  const movement = (
    partId: string,
    opening: Figure[],
    addedFigures: Figure[],
    goneFigures: Figure[],
  ): ClassMovement => {
    const name = (of: string) => [`${id}.${partId}.${of}`, label, "SectionTotal"] as const;
    const parts = [
      sum(name("opening"), opening),
      sum(name("added"), addedFigures),
      sum(name("gone"), [], goneFigures),
    ] as const;
    return [...parts, sum(name("closing"), parts)];
  };
  const any = () => true;
  const wasSold = ({ isDisposed }: RegisteredAsset) => isDisposed;
  const cost = movement(
    "cost",
    of("cost", isOld),
    of("cost", (registeredAsset) => !isOld(registeredAsset)),
    of("cost", wasSold),
  );
  const depreciation = movement("taken", of("opening", any), of("year", any), [
    ...of("opening", wasSold),
    ...of("year", wasSold),
  ]);
  const worth = cost.map((figure, at) =>
    sum([`${id}.worth.${at}`, label, "BookValue"], [figure], [depreciation[at] as Figure]),
  );
  return { cost, taken: depreciation, worth };
}
