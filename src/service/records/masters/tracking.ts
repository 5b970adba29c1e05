/** /TrackingCategories and their Options: at most two active categories, four in total. */

import { NotFoundError, refusal } from "../../../resources/errors.ts";
import { trackingCategory, trackingOption } from "../../../resources/index.ts";
import { readId } from "../../../resources/scalar.ts";
import type { TrackingCategory, TrackingOption } from "../../../resources/tracking-category.ts";
import { validate } from "../../../resources/validate.ts";
import { filterFields, type StoredFields, save } from "../../../store/mapping/records.ts";
import { isUsed } from "../../../store/queries/references.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { fold } from "../../../wire/fold.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { parseWhere } from "../../../wire/query/where.ts";
import { loadTracking, type TrackedCategory } from "../../lookups/chart-of-accounts.ts";
import { answer } from "../../request/answer.ts";
import type { RequestContext } from "../../request/context.ts";
import { type Endpoint, locate, type RecordWriter } from "../../request/endpoint.ts";
import { Faults, writtenAt } from "../../request/faults.ts";
import { enter } from "../../request/history.ts";
import { withDefaults } from "../../request/merge.ts";
import type { RouteHandler } from "../../request/route.ts";
import { readInputs } from "../../request/write.ts";

const activeMax = 2;
/** History notes of archived and deleted records. */
const goneAs = { ARCHIVED: "Archived", DELETED: "Deleted" } as const;
const categoriesMax = 4;

export const trackingCategories: Endpoint<TrackingCategory, TrackedCategory[]> = {
  resource: trackingCategory,

  defaultFilter(call) {
    const fieldOf = filterFields(trackingCategory);
    const shown = call.query.boolean("includeArchived") ? 'Status!="DELETED"' : 'Status=="ACTIVE"';
    return [parseWhere(shown, "TrackingCategory", fieldOf)];
  },

  async expand(_call, tx, records) {
    const categories = await loadTracking(tx);
    return records.map((record) => ({
      ...record,
      Options: (
        categories.find((each) => each.TrackingCategoryID === record.TrackingCategoryID)?.Options ??
        []
      ).map(shownOption),
    }));
  },

  async byKey(tx, key) {
    return (await loadTracking(tx)).find((category) => fold(category.Name) === fold(key));
  },

  writer: async () => trackingCategoryWriting,
};

const trackingCategoryWriting: RecordWriter<TrackingCategory, TrackedCategory[]> = {
  load: ({ tx }) => loadTracking(tx),

  decide({ call }, categories, entry) {
    const faults = new Faults();
    const { existing } = entry;
    const input = entry.input as Partial<TrackingCategory>;
    const record: TrackingCategory = {
      ...(existing ?? withDefaults<TrackingCategory>(trackingCategory.fields, {})),
      ...(input.Name === undefined ? {} : { Name: input.Name }),
      ...(input.Status === undefined ? {} : { Status: input.Status }),
      TrackingCategoryID: existing?.TrackingCategoryID ?? call.newId(),
    };
    const others = categories.filter(
      (category) => category.TrackingCategoryID !== record.TrackingCategoryID,
    );
    if (others.some((trackedCategory) => fold(trackedCategory.Name) === fold(record.Name ?? ""))) {
      faults.add("Unique", `There is a tracking category ${record.Name} already.`);
    }
    // Options that are sent back have their ids.
    if (input.Options?.some((sent) => existing === undefined || !sent.TrackingOptionID))
      faults.add("Form", writtenAt("Options", "/TrackingCategories/{TrackingCategoryID}/Options"));
    if (record.Status === "DELETED")
      faults.add("Status", "Delete a tracking category with DELETE.");
    if (
      record.Status === "ACTIVE" &&
      others.filter((trackedCategory) => trackedCategory.Status === "ACTIVE").length >= activeMax
    ) {
      faults.add("Limit", `An organisation has at most ${activeMax} active tracking categories.`);
    }
    if (existing === undefined && others.length >= categoriesMax) {
      faults.add("Limit", `An organisation has at most ${categoriesMax} tracking categories.`);
    }
    faults.check();
    const { Options = [] } =
      categories.find((each) => each.TrackingCategoryID === record.TrackingCategoryID) ?? {};
    entry.record = { ...record, Options: Options.map(shownOption) };
    const changes = existing === undefined ? "Created" : "Edited";
    const details = `The tracking category ${record.Name} was ${changes.toLowerCase()}.`;
    entry.history.push({ changes, details });
  },
};

function shownOption(option: TrackingOption): TrackingOption {
  return {
    ...option,
    HasValidationErrors: false,
    IsDeleted: option.Status === "DELETED",
    IsArchived: option.Status === "ARCHIVED",
    IsActive: option.Status === "ACTIVE",
  };
}

/** DELETE /TrackingCategories/{id}: archives a category in use, deletes an unused one. */
export const deleteTrackingCategory: RouteHandler = async (call, key) => {
  return call.write(async (tx) => {
    const trackedCategory = await locateCategory(call, tx, key);
    const usesFound = await Promise.all(
      trackedCategory.Options.map((option) => isUsed(tx, trackingOption, option.TrackingOptionID)),
    );
    const Status = usesFound.includes(true) ? ("ARCHIVED" as const) : ("DELETED" as const);
    const { Options: _options, ...kept } = trackedCategory;
    await save(tx, trackingCategory, [{ ...kept, Status }]);
    const changes = goneAs[Status];
    const details = `The tracking category ${trackedCategory.Name} was ${changes.toLowerCase()}.`;
    await enter(call, tx, trackingCategory, trackedCategory.TrackingCategoryID, {
      changes,
      details,
    });
    const shown = { ...trackedCategory, Status, Options: trackedCategory.Options.map(shownOption) };
    return answer(call, trackingCategory, [shown], "single");
  });
};

/** PUT /TrackingCategories/{id}/Options and POST …/Options/{optionId}: write options. */
export async function writeOptions(
  call: RequestContext,
  key: string,
  optionKey?: string,
): Promise<ServiceResponse> {
  const optionsMax = optionKey === undefined ? trackingOption.batchMax : 1;
  const inputs = readInputs(call, { resource: trackingOption }, optionsMax);
  return call.write(async (tx) => {
    const parent = await locateCategory(call, tx, key);
    const storedOption = optionKey === undefined ? undefined : findOption(parent, optionKey);
    const faults = new Faults();
    const siblings = parent.Options.filter((option) => option !== storedOption);
    const options = inputs.map((input) => {
      const record = optionOf(call, parent, storedOption, input, faults);
      if (siblings.some((sibling) => fold(sibling.Name) === fold(record.Name))) {
        faults.add(
          "Unique",
          `The tracking category ${parent.Name} has an option ${record.Name} already.`,
        );
      }
      siblings.push(record);
      return record;
    });
    faults.check();
    await save(tx, trackingOption, options);
    tx.lock?.onWrite?.(trackingCategory, [parent.TrackingCategoryID]);
    const changes = storedOption === undefined ? "Created" : "Edited";
    const verb = changes.toLowerCase();
    const edits = options.map((record) => ({
      changes,
      details: `The option ${record.Name} was ${verb}.`,
    }));
    await enter(call, tx, trackingCategory, parent.TrackingCategoryID, ...edits);
    return answer(call, trackingOption, options.map(shownOption), "single");
  });
}

function optionOf(
  call: RequestContext,
  parent: TrackedCategory,
  storedOption: TrackingOption | undefined,
  input: Readonly<Record<string, unknown>>,
  faults: Faults,
): StoredFields<typeof trackingOption.fields> {
  const isCreating = storedOption === undefined;
  faults.addAll(validate(trackingOption.fields, input, { creating: isCreating }));
  const { Name = storedOption?.Name ?? "", Status = storedOption?.Status ?? "ACTIVE" } =
    input as Partial<TrackingOption>;
  if (Status === "DELETED") faults.add("Status", "Delete a tracking option with DELETE.");
  return {
    Name,
    Status,
    TrackingOptionID: storedOption?.TrackingOptionID ?? call.newId(),
    TrackingCategoryID: parent.TrackingCategoryID,
  };
}

/** DELETE …/Options/{optionId}: archives an option in use, deletes an unused one. */
export const deleteOption: RouteHandler = async (call, key, optionKey) => {
  return call.write(async (tx) => {
    const parent = await locateCategory(call, tx, key);
    const storedOption = findOption(parent, optionKey);
    const isInUse = await isUsed(tx, trackingOption, storedOption.TrackingOptionID);
    const removedOption = {
      ...storedOption,
      Status: isInUse ? ("ARCHIVED" as const) : ("DELETED" as const),
      TrackingCategoryID: parent.TrackingCategoryID,
    };
    await save(tx, trackingOption, [removedOption]);
    tx.lock?.onWrite?.(trackingCategory, [parent.TrackingCategoryID]);
    const changes = goneAs[removedOption.Status];
    const details = `The option ${storedOption.Name} was ${changes.toLowerCase()}.`;
    await enter(call, tx, trackingCategory, parent.TrackingCategoryID, { changes, details });
    return answer(call, trackingOption, [shownOption(removedOption)], "single");
  });
};

async function locateCategory(call: RequestContext, tx: Tx, key: string): Promise<TrackedCategory> {
  const trackingCategory = await locate(call, tx, trackingCategories, key);
  const ofTracking = (await loadTracking(tx)).find(
    (trackedCategory) => trackedCategory.TrackingCategoryID === trackingCategory.TrackingCategoryID,
  );
  if (ofTracking === undefined)
    throw refusal("Status", `The tracking category ${trackingCategory.Name} is deleted.`);
  return ofTracking;
}

function findOption(parent: TrackedCategory, key: string): TrackingOption {
  const trackingOption = parent.Options.find(
    (option) => option.TrackingOptionID === readId(key) || fold(option.Name) === fold(key),
  );
  if (trackingOption === undefined) {
    throw new NotFoundError(
      "NotFound",
      `The tracking category ${parent.Name} has no option ${key}.`,
    );
  }
  return trackingOption;
}
