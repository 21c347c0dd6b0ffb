import { PANES } from "../../world/binding.ts";
import { change, type Key } from "../../world/key.ts";
import type { State } from "../../world/state.ts";
import { goToUse } from "./go-to-use.ts";
import { openText, openUses, showKind, takeText } from "./use-actions.ts";
import { selectedUseRow, usedAt } from "./use-rows.ts";

const USES = ["uses"] as const;

// Letters are the filter there.
// biome-ignore format: a table
export const USES_KEYS: readonly Key[] = [
	{ id: "prompts", keys: ["alt+'", "shift+f4"], contexts: PANES,
		help: "what was asked in all sessions: find a prompt, go there, copy it", run: change(openUses("prompt")) },
	{ id: "commands", keys: ["alt+$", "shift+f5"], contexts: PANES,
		help: "what a shell ran in all sessions: find a command, go there, copy it", run: change(openUses("command")) },
	{ id: "to-editor", keys: ["enter"], contexts: USES, short: "into pi's editor", when: isTextForPi, acts: "entry",
		help: "in pi: put the text into the editor, where you may change it and send it", needs: needsUse, run: takeText("pi") },
	{ id: "go-to-use", keys: ["enter", "alt+enter"], contexts: USES, short: "go there", acts: "entry", needs: needsUse,
		help: "open the session's tree where it was used, last or here", run: change(goToUse) },
	{ id: "copy-use", keys: ["ctrl+x"], contexts: USES, short: "copy", pi: "app.message.copy", acts: "entry", needs: needsUse,
		help: "copy the text to the clipboard", run: takeText("clipboard") },
	{ id: "open-text", keys: ["right"], contexts: USES, short: "where", when: isClosed,
		help: "show all places where it was used", run: change((state) => openText(state, true)) },
	{ id: "close-text", keys: ["left"], contexts: USES, short: "hide", when: isOpen,
		help: "hide the places where it was used", run: change((state) => openText(state, false)) },
	{ id: "show-commands", keys: ["tab", "shift+tab"], contexts: USES, short: "commands", when: ({ uses }) => uses.kind === "prompt",
		help: "the commands, with the same filter", run: change(showKind("command")) },
	{ id: "show-prompts", keys: ["tab", "shift+tab"], contexts: USES, short: "prompts", when: ({ uses }) => uses.kind === "command",
		help: "the prompts, with the same filter", run: change(showKind("prompt")) },
];

/** A place where it was used is gone to, also from pi. */
function isTextForPi({ environment, uses }: State): boolean {
	return environment.host !== undefined && selectedUseRow(uses)?.kind !== "use";
}

function isClosed({ uses }: State): boolean {
	const row = selectedUseRow(uses);
	return row?.kind === "text" && !row.isOpen;
}

function isOpen({ uses }: State): boolean {
	const row = selectedUseRow(uses);
	return row?.kind === "use" || (row?.kind === "text" && row.isOpen);
}

function needsUse({ uses }: State): string | undefined {
	return usedAt(selectedUseRow(uses)) === undefined ? `There is no ${uses.kind} here` : undefined;
}
