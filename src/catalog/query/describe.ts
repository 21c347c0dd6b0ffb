import { IS_VALUES } from "./conditions.ts";

type Example = readonly [typed: string, finds: string];

/** The language by examples, as the documentation and the program's help show it. */
export const LANGUAGE: readonly { readonly title: string; readonly examples: readonly Example[] }[] = [
	{
		title: "Words",
		examples: [
			["retry loop", "sessions that contain both words, anywhere, also as parts of words"],
			["migrating", "the word; if few sessions have it, also migration, migrated, and one typing error"],
			[
				"error or fail",
				"sessions with either word; a bar between them means the same; bug error or fail needs bug, too; in quotes, or is a word",
			],
			['"retry loop"', "the phrase; without a closing quote, up to the end"],
			["cafe", "the word; if few sessions have it, also café; but café finds only café"],
			["re:time[- ]?out", "a regular expression, up to the next field"],
			['re:/a b/ c, re:"a b" c', "a regular expression between slashes or quotes, then a word"],
			['-word, -"a phrase", -re:x', "sessions without it; --flag and -> are text"],
			["pr:grove, mod:opus, -si:7d", "a field by its first letters, if only one begins with them and takes the value"],
		],
	},
	{
		title: "Where to look",
		examples: [
			["role:user", "the other words, only in what this role said; also assistant, tool, custom"],
			["tool:bash", "the other words, only in the calls and the output of this tool"],
			[
				"in:summary",
				"the other words, only in such text; also name title label thinking output error args text custom cmd file",
			],
			["label:todo, name:x, title:x", "this text in a current label; in the name; in the name or the first message"],
			["file:src/x.ts, cmd:git", "this text in a path that a tool was given (also path:); in a command"],
			[
				"model:opus, cwd:/work, entry:2f8a1c3e",
				"this text in a model's name; in the session's directory; in an entry's id",
			],
			["-label:todo, -role:user", "sessions without such text"],
		],
	},
	{
		title: "Which sessions",
		examples: [
			[
				"project:grove, project:=/work/x",
				"of a folder whose name contains this; with a slash, whose path does; with =, exactly that one",
			],
			["since:7d", "with the last message on that day or later"],
			["after:2026-11-03", "with the last message after that day"],
			["before:monday", "with the last message before that day"],
			["on:last-week", "with the last message on these days"],
			["cost>1, cost:>1", "that cost more than a dollar, with their runs; also >= < <=; cost:1 is exactly that"],
			["size:>5MB", "with a larger file; k, M and G are powers of 1,000"],
			[
				"messages:>100",
				"with more messages on all branches, like tokens:>1M; turns:>10 and errors:>0 count the active path",
			],
			["branch:main", "in a directory on a Git branch whose name contains this; only in the browser"],
			["place:mini", "in this place; place:here is this machine"],
			["agent:scout, runs:>3", "runs of this subagent; sessions that started more than three runs"],
			[
				"tag:todo, #todo",
				"with this tag; if no tag is called so, with tags that begin so; # alone is any tag, #123 is text",
			],
			["is:pinned", `that are pinned; also ${[...IS_VALUES.keys()].filter((value) => value !== "pinned").join(" ")}`],
			[
				"is:waiting, is:failed",
				"that wait for you, for whatever reason or because the last answer failed: of the last 14 days, until you say it is done",
			],
			["-is:named, -project:x, -cost:>1", "all others"],
		],
	},
	{
		title: "Dates, in local time",
		examples: [
			["2026-11-03, 2026-11, 2026", "a day, a month, a year"],
			["august, aug", "the last month of that name, or this one"],
			["today, yesterday, monday", "monday is the last one, or today; today or yesterday alone needs no on:"],
			["7d, 2w, 3mo, 1y", "the day that long ago"],
			["this-week, last-week", "from Monday on; also this-month, last-month"],
		],
	},
];
