import { change, type Key } from "../../world/keys/key.ts";
import { PANES } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";
import { goToUse } from "./go-to-use.ts";
import { openText, openUses, sendText, showKind } from "./use-actions.ts";
import { selectedUseRow, usedAt } from "./use-rows.ts";
import { USES } from "./uses-state.ts";

const HERE = ["prompts"] as const;

// On this page letters are typed into the filter.
// biome-ignore format: a table
export const USES_KEYS: readonly Key[] = [
	{ id: "prompts", name: "Prompts", synonyms: "what I asked, history, recall", keys: ["alt+'", "shift+f4"], contexts: PANES,
		help: "the prompts of all sessions: find one, go there, copy it", run: change(openUses("prompt")) },
	{ id: "commands", name: "Shell commands", synonyms: "bash, what was run, recall", keys: ["alt+$", "shift+f5"], contexts: PANES,
		help: "the shell commands of all sessions: find one, go there, copy it", run: change(openUses("command")) },
	{ id: "to-editor", keys: ["enter"], contexts: HERE, short: "into pi's editor", when: isTextForPi, acts: "entry",
		help: "in pi: put the text into the editor, where you may change it and send it", needs: needsUse, run: sendText("pi") },
	{ id: "go-to-use", keys: ["enter", "alt+enter"], contexts: HERE, short: "go there", acts: "entry", needs: needsUse,
		help: "open the session's tree at this use, or at the last one", run: change(goToUse) },
	{ id: "copy-use", keys: ["ctrl+x"], contexts: HERE, short: "copy", pi: "app.message.copy", acts: "entry", needs: needsUse,
		help: "copy the text to the clipboard", run: sendText("clipboard") },
	{ id: "open-text", keys: ["right"], contexts: HERE, short: "where", when: isClosed,
		help: "show all uses", run: change((state) => openText(state, true)) },
	{ id: "close-text", keys: ["left"], contexts: HERE, short: "hide", when: isOpen,
		help: "hide the uses", run: change((state) => openText(state, false)) },
	{ id: "show-commands", keys: ["tab", "shift+tab"], contexts: HERE, short: "commands", when: (state) => USES.of(state).kind === "prompt",
		help: "the commands, with the same filter", run: change(showKind("command")) },
	{ id: "show-prompts", keys: ["tab", "shift+tab"], contexts: HERE, short: "prompts", when: (state) => USES.of(state).kind === "command",
		help: "the prompts, with the same filter", run: change(showKind("prompt")) },
];

/** Whether Enter passes the text to pi; on a single use it goes to the session instead. */
function isTextForPi(state: State): boolean {
	return state.environment.host !== undefined && selectedUseRow(USES.of(state))?.kind !== "use";
}

function isClosed(state: State): boolean {
	const row = selectedUseRow(USES.of(state));
	return row?.kind === "text" && !row.isOpen;
}

function isOpen(state: State): boolean {
	const row = selectedUseRow(USES.of(state));
	return row?.kind === "use" || (row?.kind === "text" && row.isOpen);
}

function needsUse(state: State): string | undefined {
	const uses = USES.of(state);
	return usedAt(selectedUseRow(uses)) === undefined ? `There is no ${uses.kind} here` : undefined;
}
