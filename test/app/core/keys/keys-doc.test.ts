import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { keyLabel } from "../../../../src/app/world/keys/key.ts";
import { type Binding, sectionsOf } from "../../../../src/app/world/state/binding.ts";

/** Some commands have no key: a click does them. */
function isBound({ keys }: Binding): boolean {
	return keys.length > 0;
}

/** The keymap as a page of Markdown. */
function keysMarkdown(): string {
	const sections = sectionsOf(KEYMAP).map((section) =>
		[
			`## ${section}`,
			"",
			"| key | where | what | name in pi's keybindings.json |",
			"|---|---|---|---|",
			...KEYMAP.filter((binding) => binding.section === section && isBound(binding)).map((binding) => {
				const keys = binding.keys.map((key) => `\`${keyLabel(key)}\``).join(", ");
				const pi = binding.pi === undefined ? "" : `\`${binding.pi}\``;
				return `| ${keys} | ${binding.contexts.join(", ")} | ${binding.help} | ${pi} |`;
			}),
			"",
		].join("\n"),
	);
	return [
		"# Keys",
		"",
		"Made from the keymap (`src/app/core/keys`), as the footer and the help screen are. `npm test` fails when this page is out of",
		"date; `npm run docs` writes it anew.",
		"",
		"Keys follow pi's defaults where pi has the same action, and what you set in pi's `keybindings.json` holds here too.",
		"What can be typed is always text in the filters of the list and the tree and in prompts: a letter that you choose for",
		"an action there does nothing, and Maintenance says so among the problems.",
		"",
		...sections,
	].join("\n");
}

test("docs/keys.md matches the keymap", async () => {
	await expect(keysMarkdown(), "docs/keys.md is out of date: npm run docs writes it anew").toMatchFileSnapshot(
		join("..", "..", "..", "..", "docs", "keys.md"),
	);
});
