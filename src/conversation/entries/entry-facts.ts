import { spendingIn } from "../../catalog/stats/usage.ts";
import { messageFailed } from "../../store/format/has-failed.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import { type EntryKind, entryKind } from "./entry-kind.ts";
import { fieldsOf } from "./fields.ts";

/** The facts of every entry, whether it is drawn or not. */
export interface EntryFacts {
	readonly kind: EntryKind;
	readonly failed: boolean;
	/** Dollars. */
	readonly cost: number;
}

/** The facts of an entry; no message is parsed for them. */
export function entryFacts(entry: SessionEntry): EntryFacts {
	const kind = entryKind(entry);
	const held = heldFacts(entry);
	if (held !== undefined) return { kind, failed: held.isError, cost: held.cost };
	const fields = fieldsOf(entry);
	const failed = entry.type === "message" && messageFailed(fieldsOf(fields.message));
	return { kind, failed, cost: spendingIn(fields)?.cost ?? 0 };
}
