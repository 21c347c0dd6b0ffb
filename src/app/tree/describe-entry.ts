import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { fieldsBesides, fieldsOf, numberOf, textOf } from "../conversation/fields.ts";
import { piCustomText } from "../conversation/pi-custom.ts";
import { compactJson, joinWords, MAX_FIELDS, rowText } from "../conversation/row-text.ts";
import { describeMessage, type EntryDescription, said } from "./describe-message.ts";

/** The fields that every entry has: a row of an unknown type shows the others. */
export const BASE: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp"]);

/** Describes any entry, even if fields are missing or odd. */
export function describeEntry(entry: SessionEntry, session: Session, home: string): EntryDescription {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			return describeMessage(fieldsOf(fields.message), session, home);
		case "model_change":
			return note("model", [fields.provider, fields.modelId].map(rowText).filter(Boolean).join("/"));
		case "thinking_level_change":
			return note("thinking", rowText(fields.thinkingLevel));
		case "compaction":
			return summary("≡ compaction", joinWords(tokens(fields.tokensBefore), rowText(fields.summary)));
		case "branch_summary":
			return summary("≡ branch summary", rowText(fields.summary));
		case "custom": {
			const customType = rowText(fields.customType);
			return note("custom", piCustomText(customType, fields.data) ?? joinWords(customType, compactJson(fields.data)));
		}
		case "custom_message":
			return { who: rowText(fields.customType) || "custom", tone: "summary", ...said(fields) };
		case "label":
			return note("label", textOf(fields.label) === "" ? "cleared" : `[${rowText(fields.label)}]`);
		case "session_info":
			return note("name", rowText(fields.name) || "cleared");
		case "usage":
			return note("usage", joinWords(...[fields.kind, fields.model, fields.note].map(rowText)));
		case "context_edit":
			return note("context edit", fields.replacement === null ? "leaves an entry out" : "replaces an entry's content");
		default:
			return note(rowText(fields.type) || "unknown", compactJson(fieldsBesides(BASE, fields, MAX_FIELDS)));
	}
}

function note(who: string, text: string): EntryDescription {
	return { who, tone: "muted", text, textTone: "muted" };
}

function summary(who: string, text: string): EntryDescription {
	return { who, tone: "summary", text: text || "(empty)", textTone: "summary" };
}

function tokens(value: unknown): string {
	const count = numberOf(value);
	return count === undefined ? "" : `${Math.round(count / 1000)}k tokens:`;
}
