/** Resolves the tracking categories and options of a report, by name or id. */
import type { Client } from "../../client/client.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { type TrackingCategory, trackingCategory } from "../../resources/tracking-category.ts";
import type { Context } from "../context/context.ts";
import { tellOf } from "../shared/find-by-name.ts";
import { resolveId } from "../shared/reference.ts";
import { didYouMean } from "../values/suggest.ts";

export interface TrackingFilter {
  readonly categoryId: string;
  readonly optionId?: string | undefined;
}

/** Maximum count of categories that an organisation can use at once, and a report can combine. */
const trackedMax = 2;

/** Resolves names or ids to categories and options; an option implies its category. */
export async function trackingOf(
  ctx: Context,
  categories: readonly string[] = [],
  options: readonly string[] = [],
): Promise<TrackingFilter[]> {
  if (categories.length === 0 && options.length === 0) return [];
  const client = await ctx.client();
  const allTracking = await allCategories(client);
  const filtersById = new Map<string, TrackingFilter>();
  for (const key of categories) {
    const same = allTracking.find(
      ({ Name, TrackingCategoryID: id }) => isSame(Name, key) || isSame(id, key),
    );
    const categoryId =
      same?.TrackingCategoryID ?? (await resolveId(client, trackingCategory, key, tellOf(ctx)));
    if (categoryId === undefined) {
      throw new NotFoundError("NotFound", `There is no tracking category ${key}.`);
    }
    filtersById.set(categoryId, { categoryId });
  }
  for (const key of options) {
    const { categoryId, optionId } = findOption(allTracking, key);
    filtersById.set(categoryId, { categoryId, optionId });
  }
  if (filtersById.size > trackedMax) {
    throw new UsageError(
      "BadFlags",
      `A report combines at most ${trackedMax} tracking categories.`,
    );
  }
  return [...filtersById.values()];
}

function allCategories(client: Client): Promise<TrackingCategory[]> {
  return Array.fromAsync(
    client.list(trackingCategory, { parameters: { includeArchived: "true" } }),
  );
}

function isSame(text: string | undefined, key: string): boolean {
  return text?.toLowerCase() === key.toLowerCase();
}

function findOption(known: readonly TrackingCategory[], key: string): Required<TrackingFilter> {
  for (const { TrackingCategoryID, Options = [] } of known) {
    const option = Options.find(
      (option) => isSame(option.Name, key) || isSame(option.TrackingOptionID, key),
    );
    if (option) return { categoryId: TrackingCategoryID, optionId: option.TrackingOptionID };
  }
  const names = known.flatMap(({ Options = [] }) => Options.map(({ Name }) => Name));
  throw new NotFoundError(
    "NotFound",
    `There is no tracking option ${key}.${didYouMean(key, names)}`,
  );
}
