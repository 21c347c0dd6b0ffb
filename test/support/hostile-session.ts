import { readFileSync } from "node:fs";

/** What would do something in a page if it were obeyed; "@" stands for an address that is to be loaded. */
const HOSTILE: readonly string[] = [
	'<script>document.title="obeyed"</script>',
	'"><img src="@img" onerror="document.title=\'obeyed\'">',
	"'><svg onload=\"document.title='obeyed'\">",
	"</pre></code></details></article></main><script src=@script></script>",
	"</style><style>@import url(@style);body{display:none}</style>",
	"</title><link rel=stylesheet href=@link><meta http-equiv=refresh content='0;url=@refresh'>",
	"<iframe src=@frame></iframe><object data=@object></object><base href=@base>",
	"![picture](@markdown-img) ![data](data:image/svg+xml,<svg/onload=alert(1)>)",
	"[click](javascript:document.title='obeyed') [file](file:///etc/passwd) <javascript:alert(1)>",
	'[click](<@link" onmouseover="document.title=\'obeyed\'>) [ref][r]\n\n[r]: @ref "t\\" onclick=alert(1) x=\\""',
	"```html\n</code></pre><script>document.title='obeyed'</script>\n```",
	"| a | b |\n|---|---|\n| <img src=@cell> | </table><script>alert(1)</script> |",
	"&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=@entity&#62; &quot; onload=&quot;",
	"\u001b[31m<b>red</b>\u001b[0m\u001b]8;;@osc\u0007link\u001b]8;;\u0007 \u202egnp.exe \u0000\u2028\ud800",
	"<!-- --><![CDATA[ ]]><?php ?> `</code><script>1</script>`",
	"$${document.title='obeyed'} {{constructor.constructor('alert(1)')()}}",
];

/** Fields that make an entry what it is: they stay. */
const KEPT: ReadonlySet<string> = new Set([
	"type",
	"id",
	"parentId",
	"timestamp",
	"role",
	"toolCallId",
	"stopReason",
	"data",
]);

/** The lines of a fixture with such text in every other field; `seed` says which; `address` is what is to be loaded. */
export function hostileLines(fixture: string, address: string, seed: number): string {
	let next = seed;
	return changedLines(fixture, (value, name) => {
		// The name of a tool is kept now and then: what is drawn depends on it.
		if (name === "name" && next++ % 3 > 0) return value;
		return value + (HOSTILE[next++ % HOSTILE.length] ?? "").replaceAll("@", `${address}/`);
	});
}

/** The lines of a fixture in which each text that does not make an entry what it is was changed. */
export function changedLines(fixture: string, changeText: (text: string, name: string) => string): string {
	const change = (value: unknown, name: string): unknown => {
		if (typeof value === "string") return KEPT.has(name) ? value : changeText(value, name);
		if (Array.isArray(value)) return value.map((one) => change(one, name));
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, change(field, key)]));
	};
	const lines = readFileSync(fixture, "utf8").split("\n").flatMap(parsed);
	return `${lines.map((line) => JSON.stringify(change(line, ""))).join("\n")}\n`;
}

function parsed(line: string): unknown[] {
	try {
		return [JSON.parse(line)];
	} catch {
		return [];
	}
}
