import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { LETTERS } from "../../../../src/app/core/keys/letters.ts";
import { SIGNS, type SignPlace } from "../../../../src/app/features/help/signs.ts";
import { type Binding, keyLabel, sectionsOf } from "../../../../src/app/world/state/binding.ts";

const code = (text: string): string => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function labels(keys: readonly string[]): string {
	return [...new Set(keys)].map((key) => code(keyLabel(key))).join(", ");
}

function piNames(bindings: readonly Binding[]): string {
	return [...new Set(bindings.flatMap(({ pi }) => pi ?? []))].map(code).join(", ");
}

/** What is the same everywhere. */
function letters(): string {
	const rows = LETTERS.map(({ key, does, ids }) => {
		const bindings = KEYMAP.filter(({ id }) => ids.includes(id));
		const others = bindings.flatMap(({ keys }) =>
			keys.filter((other) => !LETTERS.some((letter) => letter.key === other)),
		);
		return [code(keyLabel(key)), labels(others), does, piNames(bindings)];
	});
	return table(["letter", "other keys", "what it does", "name in keybindings.json"], rows);
}

/** What differs, page by page: a row for each command, whatever it acts on. */
function pages(): string {
	const isOther = ({ id, keys }: Binding): boolean =>
		keys.length > 0 && !LETTERS.some(({ ids }) => ids.includes(id)) && id !== "stop-work";
	const rows = sectionsOf(KEYMAP).flatMap((section) => {
		const here = KEYMAP.filter((binding) => binding.section === section && isOther(binding));
		const byKeys = Map.groupBy(Map.groupBy(here, ({ id }) => id).values(), (same) =>
			labels(same.flatMap(({ keys: all }) => all)),
		);
		return [...byKeys].map(([keys, groups], index) => {
			const does = groups.flatMap((same) => [...new Set(same.map(meaning))]).join("; ");
			return [index === 0 ? section : "", keys, does, piNames(groups.flat())];
		});
	});
	return table(["page", "key", "what it does", "name in keybindings.json"], rows);
}

function meaning({ help, within, condition = "" }: Binding): string {
	const when = [within === "pi" ? "in /grove" : "", condition].filter((part) => part !== "").join(", ");
	return when === "" ? help : `${help} (${when})`;
}

function signs(): string {
	const places: Readonly<Record<SignPlace, string>> = { list: "list", session: "session", timeline: "timeline" };
	return table(
		["sign", "where", "meaning"],
		SIGNS.map(({ sign, place, meaning: means }) => [sign, places[place], means]),
	);
}

/** The keymap as a page of Markdown. */
function keysMarkdown(): string {
	return `# Keys

\`npm run docs\` writes this page from the keymap (\`src/app/core/keys\`) and the table of signs, which the footer and the help
screen also use; \`npm test\` fails if it is out of date. In the browser, \`ctrl+k\` and \`?\` show the same, and \`/\` there filters it.

Where a caret blinks you type: in the list, prompts, dialogs and the box of commands from the start. Everywhere else letters act, and
\`/\` brings the caret. Keys follow pi's defaults where pi has the same action, and pi's \`keybindings.json\` applies here, too. A letter
that you have bound to an action there does nothing where one types, and Maintenance reports it as a problem.

## Letters, the same on every page that is opened from the list

${letters()}

## What else there is, page by page

${pages()}

## Signs

${signs()}
`;
}

test("docs/keys.md matches the keymap", async () => {
	const page = keysMarkdown();
	expect(page.match(/^\|/gm)?.length).toBeLessThanOrEqual(200);
	await expect(page, "docs/keys.md is out of date: npm run docs writes it anew").toMatchFileSnapshot(
		join("..", "..", "..", "..", "docs", "keys.md"),
	);
});
