type Example = readonly [typed: string, finds: string];

/** The language by examples, as the documentation and the program's help show it. */
export const LANGUAGE: readonly { readonly title: string; readonly examples: readonly Example[] }[] = [
	{
		title: "Words",
		examples: [
			["retry loop", "sessions that contain both words, anywhere; parts of words count too"],
			["migrating", "if few have it: below, also migration, migrated; and one typing error in six letters"],
			['"retry loop"', "the phrase; an open quote reaches to the end"],
			["cafe", "if few have it: below, also café; typing café finds only café"],
			["re:time[- ]?out", "a regular expression: all that follows, up to the next field"],
			['re:/a b/ c, re:"a b" c', "only what is between the slashes or quotes"],
			['-word, -"a phrase", -re:x', "sessions that do not have it; --flag and -> are text"],
			["pr:grove, mod:opus, -si:7d", "a field by its beginning, if only one begins so and takes the value"],
		],
	},
	{
		title: "Where to look",
		examples: [
			["role:user", "the other words, only in what this role said; also assistant, tool, custom"],
			["tool:bash", "the other words, only in the calls and the output of such tools"],
			["in:summary", "the other words, only there; also name title label thinking output args text custom cmd file"],
			["label:todo, name:x, title:x", "this text in a label, in the name, in name or first message, as they are now"],
			["file:src/x.ts, cmd:git", "in a file that a tool was given (also path:), in a command"],
			["model:opus, cwd:/work", "in the model, in the session's directory"],
			["-label:todo, -role:user", "sessions without such a text"],
		],
	},
	{
		title: "Which sessions",
		examples: [
			["project:grove, project:=/work/x", "whose last folder has this; with a slash, the directory; = that one alone"],
			["since:7d", "whose last message is of that day or later"],
			["after:2026-11-03", "of a later day"],
			["before:monday", "of an earlier day"],
			["on:last-week", "of these days"],
			["cost:>1", "that cost more than a dollar with their runs; also >= < <= and, without a sign, exactly that"],
			["size:>5MB", "whose file is larger; k, M and G are thousands"],
			[
				"messages:>100",
				"with more messages, on all branches, likewise tokens:>1M; turns:>10 errors:>0 of the active path",
			],
			["place:mini", "that are in this place; on this machine: place:here"],
			["agent:scout, runs:>3", "the runs of this subagent; sessions that asked for more than three runs"],
			["tag:todo, #todo", "that have this tag; #123 is text"],
			[
				"is:pinned",
				"also tagged archived named fork run orphan labeled branched error waiting rewound running damaged empty",
			],
			["-is:named, -project:x, -cost:>1", "all others"],
		],
	},
	{
		title: "Dates, in local time",
		examples: [
			["2026-11-03, 2026-11, 2026", "a day, a month, a year"],
			["today, yesterday, monday", "the last Monday, today included; today or yesterday alone needs no on:"],
			["7d, 2w, 3mo, 1y", "the day that long ago"],
			["this-week, last-week", "from Monday on; also this-month, last-month"],
		],
	},
];
