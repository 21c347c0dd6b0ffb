import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { BlockContext } from "./context.ts";
import type { Block } from "./piece.ts";
import { ruleRow } from "./rule.ts";

/** The damaged lines that follow an entry in the file. */
export function* damageBlocks({ id }: SessionEntry, { session }: BlockContext): Generator<Block> {
	const line = session.lines.get(id);
	for (const { message } of line === undefined ? [] : (damageOf(session).get(line) ?? [])) {
		const left: Line = [span("✗ ", "error"), { text: sanitizeLine(message), tone: "error" }];
		yield { parts: [{ text: message, draw: (width) => [ruleRow(left, [], width)] }], gap: true };
	}
}

type ByLine = ReadonlyMap<number, readonly Diagnostic[]>;
const known = new WeakMap<Session, ByLine>();

/** The damage of a session by the line of the entry before it. */
function damageOf(session: Session): ByLine {
	const found = known.get(session);
	if (found !== undefined) return found;
	const damage = session.diagnostics.filter(({ severity, line }) => severity === "damage" && line !== undefined);
	const byLine = new Map<number, Diagnostic[]>();
	const lines = damage.length === 0 ? [] : [...session.lines.values()].toSorted((a, b) => a - b);
	for (const diagnostic of damage) {
		const before = lines.findLast((line) => line < (diagnostic.line ?? 0)) ?? lines[0];
		if (before !== undefined) byLine.set(before, [...(byLine.get(before) ?? []), diagnostic]);
	}
	known.set(session, byLine);
	return byLine;
}
