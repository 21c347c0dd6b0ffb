import type { Session } from "../../store/read/read-session.ts";
import { fieldsOf } from "../entries/fields.ts";

/**
 * The entry whose context pi has when it goes on from this one: a message of the person, or of an extension, is said again,
 * so that it goes on from before it (`resumePoint` in store/actions). Null: before the first entry.
 */
export function goesOnFrom({ tree }: Session, id: string): string | null {
	const entry = tree.byId.get(id);
	const isSaidAgain =
		entry?.type === "custom_message" ||
		(entry?.type === "message" && fieldsOf(fieldsOf(entry).message).role === "user");
	return isSaidAgain ? (tree.parentOf.get(id) ?? null) : id;
}
