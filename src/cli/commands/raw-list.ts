import { checkUseOnce } from "../../catalog/live/live-sessions.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { MAX_DIAGNOSTICS, MAX_TEXT } from "../../catalog/places/place.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { listRows } from "../find/listed-rows.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, printJsonList, printProblems } from "../print/output.ts";

/*
 * `list --json --raw`: all sessions, for a pi-grove on another machine, which reads them with the schema of
 * `catalog/places/session-lines.ts`.
 */

/** Prints every session, runs and archived ones included; returns the exit code. */
export async function listRaw(args: Arguments): Promise<number> {
	const { rows, counts, problems } = await listRows(args, args.counted ? "all" : "known");
	const sessionRoots = await Sessions.of(args).roots();
	const paths = rows.map(({ path }) => path);
	const { sessions } = checkUseOnce(defaultStateDir(), sessionRoots, paths);
	await printJsonList(rows, (row) => rawSession(row, counts?.get(row.path), sessions.has(row.path)));
	printProblems(problems);
	return EXIT.ok;
}

/** A session as it is printed; `isLive`: whether it is in use. */
function rawSession(row: SessionRow, counts: SessionCounts | undefined, isLive: boolean): object {
	const { ownRun: _, tells: __, ...rest } = row;
	const { run, diagnostics } = rest;
	return {
		...cutTexts(rest),
		created: row.created.getTime() || 0,
		modified: row.modified.getTime() || 0,
		diagnostics: diagnostics.slice(0, MAX_DIAGNOSTICS).map(cutTexts),
		...(run && { run: cutTexts(run) }),
		...(counts && { counts: { ...cutTexts(counts), ...NOT_PRINTED } }),
		...(isLive && { live: true }),
	};
}

/** What no list shows of a session on another machine. */
const NOT_PRINTED = { copied: undefined, rewound: undefined, runs: undefined, reported: undefined };

function cutTexts(values: object): Record<string, unknown> {
	const cut = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, MAX_TEXT) : value);
	return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, cut(value)]));
}
