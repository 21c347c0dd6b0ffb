import type { RunReport } from "../../../catalog/families/run-report.ts";
import { outputTexts } from "../../../conversation/entries/output.ts";
import { runGroupKey } from "../../../conversation/entries/place-runs.ts";
import { areMany, type RunLine, runEnds } from "../../../conversation/entries/run-line.ts";
import { fieldsOf, listOf, textOf } from "../../../store/format/fields.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { selectRuns } from "../../world/opened/select-runs.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { menu, sentence, textColumns } from "../../world/screen/menus.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** Opens the conversation of a run; if the run has no session, shows the facts that its parent reports. */
export function openRun(state: State, run: RunLine): State {
	return run.path === undefined ? openOverlay(state, knownOf(state, run)) : goToTree(state, run.path);
}

/** The open session with the cursor of the tree on its run with this path. */
export function atRun(state: State, run: string): State {
	const { lines, byEntry } = selectRuns(state);
	const line = lines.values().find(({ path }) => path === run);
	if (line === undefined) return state;
	const { key, entryId } = line;
	const { tree } = atEntry(state, entryId);
	const opened = areMany(byEntry.get(entryId) ?? []) ? tree.opened.union(new Set([runGroupKey(entryId)])) : tree.opened;
	return { ...atEntry(state, entryId), tree: { ...tree, selected: key, opened } };
}

/** Rows of what a run said last. */
const MAX_SAID = 10;

/** Facts that the parent reports about a run without a session here. */
function knownOf(state: State, run: RunLine) {
	const { isGone, error, task, key } = run;
	const report = selectRuns(state).runs.get(key)?.report;
	const { left, right } = runEnds(
		{ ...run, task: "", error: undefined, isGone: false },
		textColumns(state.size.columns),
	);
	const file = report?.file === undefined ? "" : `: ${shortenHome(report.file, state.environment.home)}`;
	const why = isGone
		? `Its session is not among those listed; it was deleted or moved, or is in a directory that is not looked at${file}.`
		: "It has no session of its own: what it did was not kept.";
	const lastText = lastWords(state.detail.session, run, report);
	const rows = sentence(state, lastText);
	const body: Line[] = [
		[...left, ...right],
		...sentence(state, task, "prompt"),
		[],
		...sentence(state, why, "warning"),
		...(error === undefined ? [] : sentence(state, error, "error")),
		...(lastText === "" ? [] : [[], ...rows.slice(0, MAX_SAID)]),
		...(rows.length > MAX_SAID ? sentence(state, "The rest is in the result of the step.", "muted") : []),
		[],
	];
	return menu("A run without a session", body, { items: [{ label: "Back to the step" }] });
}

/** The answer of a run in the result of its step; "" if it cannot be separated from the answers of other runs. */
function lastWords(session: Session | undefined, run: RunLine, report: RunReport | undefined): string {
	const entry = session?.tree.byId.get(run.entryId);
	const message = fieldsOf(fieldsOf(entry).message);
	const results = listOf(fieldsOf(message.details).results).map(fieldsOf);
	const runResult =
		results.find((result) => result.runId === report?.runId && (result.index ?? 0) === (report?.index ?? 0)) ??
		results[report?.index ?? -1];
	const text = textOf(runResult?.finalOutput);
	return text === "" && results.length < 2 ? outputTexts(message.content).join("\n").trim() : text;
}
