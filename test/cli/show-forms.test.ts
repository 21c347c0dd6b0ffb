import { expect, test } from "vitest";
import { checkForm } from "../../src/cli/commands/show/show.ts";

test.each([
	[{ json: true, markdown: true }, "--markdown --json needs --max-chars"],
	[{ json: true, tree: true, markdown: true }, "show takes one of --markdown and --tree"],
	[{ turn: true, all: true }, "show takes one of --all and --turn"],
	[{ tree: true, full: true }, "--full means nothing with --tree"],
	[{ tree: true, turn: true }, "--turn means nothing with --tree"],
	[{ json: true, maxChars: 9 }, "--max-chars means nothing with --json"],
	[{ width: 1001 }, "--width takes at most 1,000 columns"],
	[{ markdown: true, width: 9 }, "--width means nothing with --markdown"],
	[{ digest: true, tree: true }, "show takes one of --digest and --tree"],
	[{ digest: true, turn: true }, "--turn means nothing with --digest"],
	[{ digest: true, maxChars: 9 }, "--max-chars means nothing with --digest without --markdown"],
	[{ digest: true, json: true, width: 9 }, "--width means nothing with --json"],
])("show with %j is a mistake", (given, mistake) => {
	expect(checkForm({ words: ["x"], ...given })).toBe(mistake);
});

test.each([
	{},
	{ full: true, width: 80, maxChars: 9, turn: true },
	{ markdown: true, maxChars: 9, entry: true, full: true },
	{ json: true, all: true },
	{ tree: true, all: true, width: 1000 },
	{ digest: true, markdown: true, json: true, maxChars: 9, masked: true },
	{ digest: true, width: 80 },
])("show with %j is not", (given) => {
	expect(checkForm({ words: ["x"], ...given })).toBeUndefined();
});
