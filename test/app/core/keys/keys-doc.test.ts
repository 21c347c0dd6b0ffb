import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { firstKeys, firstSigns } from "../../../../src/app/features/help/key-help.ts";
import { SIGNS, type SignPlace } from "../../../../src/app/features/help/signs.ts";
import { keyLabel } from "../../../../src/app/world/keys/key.ts";
import { type Binding, PANES, sectionsOf } from "../../../../src/app/world/state/binding.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";

/** Some commands have no key: a click does them. */
function isBound({ keys }: Binding): boolean {
	return keys.length > 0;
}

const code = (text: string): string => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The first screen of the help, pane by pane. */
function firstScreens(): string {
	const ofPanes = PANES.map((pane) => {
		const rows = firstKeys(KEYMAP, pane).map(({ left, right }) => [code(textOfRow(left)), textOfRow(right)]);
		return `In the ${pane}:\n\n${table(["key", "what it does"], rows)}\n`;
	});
	const signs = (["list", "tree"] as const).map((pane) => {
		const rows = firstSigns(pane).map(({ sign, meaning }) => [sign, meaning]);
		return `Signs of ${pane === "list" ? "the list" : "a session"}:\n\n${table(["sign", "meaning"], rows)}\n`;
	});
	return [...ofPanes, ...signs].join("\n");
}

function otherSigns(): string {
	const places: Readonly<Record<SignPlace, string>> = { list: "list", session: "session", timeline: "timeline" };
	const rows = SIGNS.filter(({ isFirst }) => !isFirst).map(({ sign, place, meaning }) => [
		sign,
		places[place],
		meaning,
	]);
	return table(["sign", "where", "meaning"], rows);
}

function allKeys(): string {
	return sectionsOf(KEYMAP)
		.map((section) => {
			const rows = KEYMAP.filter((binding) => binding.section === section && isBound(binding)).map((binding) => [
				binding.keys.map((key) => code(keyLabel(key))).join(", "),
				binding.help,
				whenItActs(binding),
				binding.contexts.join(", "),
				binding.pi === undefined ? "" : code(binding.pi),
			]);
			return `### ${section}\n\n${table(["key", "what it does", "when", "where", "name in keybindings.json"], rows)}\n`;
		})
		.join("\n");
}

function whenItActs({ within, condition = "" }: Binding): string {
	const host = within === "pi" ? "in /grove" : "";
	return [host, condition].filter((part) => part !== "").join(", ");
}

/** The keymap as a page of Markdown. */
function keysMarkdown(): string {
	return `# Keys

\`npm run docs\` writes this page from the keymap (\`src/app/core/keys\`) and the table of signs, which the footer and the help
screen also use; \`npm test\` fails if it is out of date. In the browser, \`ctrl+k\` and \`?\` show the same, filtered by what you type.

Keys follow pi's defaults where pi has the same action, and pi's \`keybindings.json\` applies here, too. In the filters of the
list and the tree and in prompts, letters are always text: a letter that you have bound to an action there does nothing, and
Maintenance reports it as a problem.

## First

${firstScreens()}
## All keys

${allKeys()}
## Other signs

${otherSigns()}
`;
}

test("docs/keys.md matches the keymap", async () => {
	await expect(keysMarkdown(), "docs/keys.md is out of date: npm run docs writes it anew").toMatchFileSnapshot(
		join("..", "..", "..", "..", "docs", "keys.md"),
	);
});
