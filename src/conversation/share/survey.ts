import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { fieldsOf, listOf, textOf } from "../entries/fields.ts";
import { imageEnding } from "../entries/images.ts";
import type { Place } from "../entries/place.ts";
import { rowText } from "../entries/row-text.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import { type Shared, shareItems } from "./share-items.ts";

/** What is shared of a session, in numbers. */
export interface Survey {
	readonly sum: Sum;
	/** Entries that are shared. */
	entries: number;
	/** Branches that are shared beside the line. */
	branches: number;
	/** The same of those that are not. */
	leftOutBranches: number;
	leftOutEntries: number;
	images: number;
	/** Images of a form that no browser shows, or that are none. */
	oddImages: number;
	/** Answers by the model that gave them. */
	readonly models: Map<string, number>;
	/** The ids of the entries that are shared. */
	readonly ids: Set<string>;
}

/** Images that browsers show, by the endings of their files. */
export const SHOWN_IMAGES: ReadonlyMap<string, string> = new Map([
	["png", "image/png"],
	["jpg", "image/jpeg"],
	["gif", "image/gif"],
	["webp", "image/webp"],
	["avif", "image/avif"],
	["bmp", "image/bmp"],
]);

/** Looks at all that is shared once: whatever is to be masked in it has been found then. */
export function* surveySteps(shared: Shared, place: Place): Steps<Survey> {
	const survey: Survey = {
		sum: emptySum(),
		entries: 0,
		branches: 0,
		leftOutBranches: 0,
		leftOutEntries: 0,
		images: 0,
		oddImages: 0,
		models: new Map(),
		ids: new Set(),
	};
	for (const item of shareItems(shared)) {
		yield;
		if (item.type === "branch") survey.branches++;
		else if (item.type === "left-out") {
			survey.leftOutBranches += item.branches;
			survey.leftOutEntries += item.entries;
		} else if (item.type === "entry") {
			survey.entries++;
			survey.ids.add(item.entry.id);
			addEntry(survey.sum, item.entry, shared.session, place);
			addContent(survey, item.entry);
		}
	}
	return survey;
}

function addContent(survey: Survey, entry: SessionEntry): void {
	const fields = fieldsOf(entry);
	const message = entry.type === "message" ? fieldsOf(fields.message) : fields;
	const model = rowText(message.model);
	if (entryKind(entry) === "answer" && model !== "") survey.models.set(model, (survey.models.get(model) ?? 0) + 1);
	for (const block of listOf(message.content).map(fieldsOf)) {
		if (block.type !== "image") continue;
		if (SHOWN_IMAGES.has(imageEnding(textOf(block.data)) ?? "")) survey.images++;
		else survey.oddImages++;
	}
}
