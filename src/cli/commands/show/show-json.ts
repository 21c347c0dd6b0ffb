import { outlineOf } from "../../../conversation/entries/outline.ts";
import { passagesOf, type Scope } from "../../../conversation/entries/passages.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { ReadTarget } from "../../find/read-target.ts";
import type { Describe } from "../../find/session-facts.ts";
import { type JsonText, jsonListEnd, jsonListItem, jsonListStart } from "../../print/json.ts";
import { printJsonText } from "../../print/output.ts";

/** Characters to collect before writing. */
const BATCH = 64_000;

/** Prints a session as one object: its facts, and its entries as they are in the file, each on a line with its own facts. */
export async function showJson({ session, path, row }: ReadTarget, scope: Scope, describe: Describe): Promise<void> {
	const { version, diagnostics, tree } = session;
	// The row has only the damage that the list sees.
	const facts = { ...describe({ ...row, diagnostics }, path), version, leafId: tree.leafId };
	await printJsonText(jsonListStart(facts, "entries"));
	const outline = outlineOf(session);
	let batch: JsonText[] = [];
	let [isFirst, characters] = [true, 0];
	for (const entry of entriesOf(session, scope)) {
		const line = session.lines.get(entry.id);
		const label = tree.labels.get(entry.id)?.text ?? null;
		const item = jsonListItem({ line, active: outline.isActive(entry.id), label, entry }, isFirst);
		batch.push(item);
		[isFirst, characters] = [false, characters + item.length];
		if (characters < BATCH) continue;
		await printJsonText(...batch);
		[batch, characters] = [[], 0];
	}
	await printJsonText(...batch, jsonListEnd());
}

/** All entries in file order, or those of a scope in path order. */
function* entriesOf(session: Session, scope: Scope): Generator<SessionEntry> {
	if (scope.of === "all") {
		yield* session.entries;
		return;
	}
	for (const { path, from, to } of passagesOf(session, scope)) yield* path.slice(from, to);
}
