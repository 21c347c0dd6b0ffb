/*
 * Which commands hand words or input to a second shell, here or on another machine, which reads them as commands. Quotes of the first
 * shell do not protect a value from the second one. A command counts unless it is certain to be harmless.
 */

/** Text that may precede the name of a program that is run. */
const BEFORE = String.raw`(?:^|[;&|(!{\n]|\b(?:then|do|else|sudo|doas|env|exec|nohup|time|command|builtin|xargs|setsid|nice|timeout|-exec(?:dir)?|-ok(?:dir)?)\s[^;&|\n]*?)\s*(?:\w+=\S*\s+)*(?:[\w.~]*\/\S*\/)?`;

/** Programs that make one text of their arguments, for a shell. */
const OTHERS = new RegExp(
	`${BEFORE}(eval|ssh|autossh|mosh|rsh|watch|parallel|at|batch|trap|su|runuser|script)(?=[\\s;&|)]|$)`,
	"m",
);
/** A shell, wherever it stands: as a program, or as an argument of another one. */
const SHELL = /(?<![\w.$~-])(?:ba|da|a|k|mk|pdk|z|fi|c|tc)?sh(?=[\s;&|)"'<>]|$)/g;
/** Arguments with which a shell interprets no value: a file, or a script in single quotes and its arguments. */
const HARMLESS =
	/^(?:\s+-[eux]+)*\s+(?:-[eux]*c\s+''(?=\s)|"?(?:\{cwd\}\/)?(?:\$\w+\/|\$\{\w+\}\/)?[~./\w][\w./~+-]*"?(?=[\s;&|)]|$))/;
/** Others, by what of them is not harmless. */
const PARTS: readonly (readonly [RegExp, string])[] = [
	[/\btmux\b[^;&|\n]*(?:\s(?:send|run|if|display|set)|")/, "tmux"],
	[/\bscreen\b[^;&|\n]*\s-X/, "screen"],
	[/(?:^|[;&|(\n])\s*(?:\.|source)\s+(?:\/dev\/|<)/, "source"],
];

/** Why a value might be read by a second shell, in a sentence; undefined if none is seen. `code`: nothing stands in its single quotes. */
export function whySecondShell(code: string): string | undefined {
	const other = OTHERS.exec(code)?.[1] ?? PARTS.find(([part]) => part.test(code))?.[1];
	const replaces = /\bxargs\b[^;&|\n]*\s(?:-[A-Za-z0-9]*[Ii]|--replace)/.test(code);
	const shell = [...code.matchAll(SHELL)].find(
		({ 0: name, index }) => replaces || !HARMLESS.test(code.slice(index + name.length)),
	)?.[0];
	const name = other ?? shell;
	return name && `${name} reads what it gets as commands, a value of a session, too`;
}
