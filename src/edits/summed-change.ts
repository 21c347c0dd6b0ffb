import type { Steps } from "../shared/steps.ts";
import type { Session } from "../store/read/read-session.ts";
import { rebuildSteps } from "./rebuild-file.ts";
import type { EditedFile } from "./session-files.ts";

/** A file before the first and after the last edit of a session, or why that is not known. */
export type SummedChange =
	| {
			readonly before: string;
			readonly after: string;
			/** Why that may not be all; "" if pi's tools show everything in between. */
			readonly doubt: string;
	  }
	| { readonly why: string };

/** What all edits of a file come to, in steps. `home`: the person's home directory. */
export function* sumChange(session: Session, { path, edits }: EditedFile, home: string): Steps<SummedChange> {
	const [first, last] = [edits[0], edits.at(-1)];
	const call = session.tree.parentOf.get(first?.entryId ?? "");
	if (first === undefined || last === undefined || call === undefined) return { why: "its first edit has no place" };
	const after = yield* rebuildSteps(session, path, last.entryId, home);
	const [text, other] = after.texts;
	if (text === undefined || other !== undefined) return { why: after.why };
	const before = yield* rebuildSteps(session, path, call, home);
	const [old] = before.texts;
	if (before.texts.length > 1 || (old === undefined && first.tool === "edit")) return { why: before.why };
	const unseen = old === undefined ? "what the file held before it was written is not known" : before.why;
	return { before: old ?? "", after: text, doubt: unseen || after.why };
}
