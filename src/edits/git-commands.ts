import { afterOptions, type ShellToken } from "../store/format/shell-tokens.ts";
import {
	type Call,
	mayAny,
	mayChange,
	NOTHING,
	naming,
	type Outcome,
	pathOf,
	placeOf,
	split,
	targetsOf,
} from "./command-words.ts";
import type { Effect } from "./effects.ts";

/** Commands of git that touch no file of the working tree, and no index that a later one could take text from. */
const READERS: ReadonlySet<string> = new Set(
	(
		"annotate blame branch bundle cat-file check-attr check-ignore config count-objects describe diff diff-files diff-index diff-tree " +
		"fetch for-each-ref fsck gc grep hash-object help init log ls-files ls-remote ls-tree maintenance merge-base name-rev notes " +
		"pack-refs prune push range-diff reflog remote repack rerere rev-list rev-parse shortlog show show-branch show-ref status " +
		"symbolic-ref tag update-index update-ref var verify-commit version whatchanged write-tree commit-tree merge-tree"
	).split(" "),
);
const WRITES = /^(?:-O|--output|--ext-diff|--textconv|--filters|--open)/;
/** Settings that change nothing of what a command does to files. */
const SETTINGS =
	/^(?:user|author|committer|color|advice|commit\.gpgsign|core\.(?:quotepath|pager|abbrev)|init|log|diff\.(?!ext)\w+|gc|http)\b/i;
const MOVES: ReadonlySet<string> = new Set("merge pull rebase cherry-pick revert am switch bisect".split(" "));
/** A word that names a commit and no file. */
const REVISION =
	/^(?:HEAD|@|FETCH_HEAD|ORIG_HEAD|stash)(?:$|[~^@])|[~^]\d*$|^[0-9a-f]{7,40}$|^(?:origin|upstream)\/|^(?:main|master|develop)$/;

/** What a command of git does to the files, and to what Git puts back later. */
export function gitEffects(call: Call): Outcome {
	let at = 0;
	let directory = call.directory;
	for (; call.args[at]?.text.startsWith("-") === true; at++) {
		const option = call.args[at]?.text ?? "";
		const value = call.args[at + 1];
		if (/^(?:--no-pager|-P|-p|--paginate|--no-optional-locks|--literal-pathspecs)$/.test(option)) continue;
		if (option === "-c" && SETTINGS.test(value?.text ?? "")) at++;
		else if (option === "-C" && value?.isLiteral === true) directory = pathOf(call.args[++at]?.text ?? "", directory);
		else return /^--(?:version|help|exec-path)/.test(option) ? NOTHING : { effects: [mayAny()] };
	}
	const name = call.args[at]?.text ?? "";
	const args = call.args.slice(at + 1);
	const texts = args.map(({ text }) => text);
	if (READERS.has(name))
		return texts.some((text) => WRITES.test(text)) && /^(?:diff|log|show|grep|blame|cat)/.test(name)
			? { effects: [mayAny()] }
			: NOTHING;
	const command = COMMANDS.get(name);
	if (directory === undefined) return command === undefined ? { effects: [mayAny()] } : withoutDirectory(command, args);
	if (MOVES.has(name)) {
		const isUntold = texts.some((text) => /^(?:-n|--no-commit|--squash|--autostash)$/.test(text));
		return isUntold ? { effects: [mayAny([], true)] } : moved(directory, name);
	}
	return (
		command?.({ args, directory, texts }) ?? {
			effects: [mayAny([], /^(?:apply|lfs|filter-branch|filter-repo)$/.test(name))],
		}
	);
}

interface GitCall {
	readonly args: readonly ShellToken[];
	readonly texts: readonly string[];
	/** Where it runs. */
	readonly directory: string;
}

function withoutDirectory(command: (call: GitCall) => Outcome, args: readonly ShellToken[]): Outcome {
	const { effects } = command({ args, directory: "/", texts: args.map(({ text }) => text) });
	return effects.length === 0 ? NOTHING : { effects: [mayAny()] };
}

function moved(directory: string, subcommand: string): Outcome {
	return { effects: [{ kind: "git", directory, does: "move", subcommand }] };
}

/** The paths of path specs; undefined if one of them is a pattern, which Git reads by itself too, or has a variable. */
function pathsOf(specs: readonly ShellToken[], directory: string): readonly string[] | undefined {
	const places = specs.map((spec) => (/[*?[\\]|^:/.test(spec.text) ? undefined : placeOf(spec, directory)));
	const paths = places.flatMap((place) => (place?.isExact === true ? place.path : []));
	return paths.length === places.length ? paths : undefined;
}

/** What path specs with patterns may name. */
function mayMatch(specs: readonly ShellToken[], directory: string): Effect {
	return mayChange(
		specs.map((spec) => ({
			...spec,
			isLiteral: spec.isLiteral && !/[*?[]/.test(spec.text),
			text: spec.text.replace(/^:\/$/, "$"),
		})),
		directory,
	);
}

function added({ args, texts, directory }: GitCall): Outcome {
	if (texts.some((text) => /^(?:-n|--dry-run|-N|--intent-to-add|--refresh)$/.test(text))) return NOTHING;
	const { names, flags } = split(args, /^/);
	const paths = pathsOf(names, directory);
	const takesUntracked = !/(?:^| )(?:-[a-zA-Z]*u|--update)/.test(flags);
	const isVague =
		paths === undefined || /(?:^| )(?:-[a-zA-Z]*[pie]|--(?!all|update|force|verbose|no-ignore))/.test(flags);
	return {
		effects: [{ kind: "git", directory, does: "add", paths: paths?.length === 0 ? undefined : paths, takesUntracked }],
		isVague,
	};
}

const COMMIT_VALUES =
	/^(?:-[a-zA-Z]*[mFCct]|--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|cleanup|trailer))$/;

function committed({ args, texts, directory }: GitCall): Outcome {
	if (texts.includes("--dry-run")) return NOTHING;
	const rest = args.filter((_, at) => !COMMIT_VALUES.test(texts[at - 1] ?? ""));
	const { names, flags } = split(rest, /^/);
	const isAll = /(?:^| )(?:-[a-zA-Z]*a|--all\b)/.test(
		flags.replace(/(^| )-[a-zA-Z]*?([mFCct])\S*/g, (part) => part.replace(/[mFCct].*/, "")),
	);
	const paths = names.length > 0 ? pathsOf(names, directory) : undefined;
	const { effects } = moved(directory, "commit");
	const add: Effect = { kind: "git", directory, does: "add", paths, takesUntracked: false };
	const isVague = (names.length > 0 && paths === undefined) || /(?:^| )(?:-p|--patch|--interactive)/.test(flags);
	return { effects: isAll || names.length > 0 ? [add, ...effects] : effects, isVague };
}

function restored(specs: readonly ShellToken[], tree: string | undefined, directory: string): Outcome {
	const paths = pathsOf(specs, directory);
	if (paths === undefined) return { effects: [mayMatch(specs, directory)] };
	return { effects: [{ kind: "git", directory, does: "restore", paths, tree }] };
}

function checkedOut({ args, texts, directory }: GitCall): Outcome {
	const end = texts.indexOf("--");
	const head = args.slice(0, end === -1 ? args.length : end);
	const flags = head.filter(({ text }) => /^-./.test(text)).map(({ text }) => text);
	const words = head.filter(({ text }) => !/^-./.test(text));
	const specs = end === -1 ? [] : args.slice(end + 1);
	if (flags.some((flag) => /^(?:-p|--patch|--pathspec)/.test(flag))) return { effects: [mayAny([], true)] };
	const [first, ...more] = words;
	const isPlain = flags.every((flag) => /^(?:-q|-f|--quiet|--force|--no-progress)$/.test(flag));
	const all = [...more, ...specs];
	if (all.length > 0 && !isPlain) {
		return flags.some((flag) => /^-[bB]|^--(?:detach|orphan|track)|^-[td]/.test(flag))
			? moved(directory, "checkout")
			: { effects: [mayMatch(all, directory)] };
	}
	const isTree = first !== undefined && (specs.length > 0 || REVISION.test(first.text));
	if (specs.length > 0 && more.length > 0) return { effects: [mayAny()] };
	if (all.length > 0 && isTree && first.isLiteral) return restored(all, first.text, directory);
	if (specs.length > 0)
		return first === undefined ? restored(specs, undefined, directory) : { effects: [mayMatch(specs, directory)] };
	if (more.length > 0) return { effects: [mayMatch(words, directory)] };
	if (first === undefined) return flags.some((flag) => /^-[bB]/.test(flag)) ? moved(directory, "checkout") : NOTHING;
	if (/^\.{1,2}\/?$/.test(first.text) && isPlain) return restored(words, undefined, directory);
	if (!isPlain || REVISION.test(first.text)) return moved(directory, "checkout");
	const { effects } = moved(directory, "checkout");
	const place = placeOf(first, directory);
	// A word may be a branch or a file.
	if (place === undefined || !place.isExact || /\.\w+$/.test(first.text))
		return { effects: [mayAny(place === undefined ? [] : [place.path])] };
	return { effects: [...effects, { kind: "may", paths: [place.path], named: [], isWide: false }], isVague: true };
}

function restore({ args, texts, directory }: GitCall): Outcome {
	const at = texts.findIndex((text) => /^(?:-s|--source)$/.test(text));
	const source =
		at === -1 ? texts.find((text) => /^--source=|^-s./.test(text))?.replace(/^--source=|^-s/, "") : texts[at + 1];
	const rest = at === -1 ? args : args.toSpliced(at, 2);
	const { names, flags } = split(rest, /^/);
	const isStaged = /(?:^| )(?:-[WSq]*S|--staged)/.test(flags);
	const isWorktree = !isStaged || /(?:^| )(?:-[WSq]*W|--worktree)/.test(flags);
	if (!isWorktree) return NOTHING;
	if (/(?:^| )(?:-p|--(?!staged|worktree|quiet|source))/.test(flags) || names.length === 0)
		return { effects: [mayMatch(names, directory)] };
	return restored(names, source ?? (isStaged ? "HEAD" : undefined), directory);
}

function stashed({ args, texts, directory }: GitCall): Outcome {
	const [does = "push", ...rest] = texts;
	const git = { kind: "git", directory } as const;
	if (/^(?:list|show|drop|clear|create|store)$/.test(does)) return NOTHING;
	if (/^(?:pop|apply)$/.test(does)) {
		const isNewest = rest.every((text) => /^(?:-q|--quiet|--index|stash@\{0\}|0)$/.test(text));
		return { effects: [isNewest ? { ...git, does: "pop" } : mayAny([], true)] };
	}
	if (does === "branch")
		return {
			effects: [
				{ ...git, does: "move", subcommand: "checkout" },
				{ ...git, does: "pop" },
			],
		};
	if (!/^(?:push|save|-)/.test(does)) return { effects: [mayAny([], true)] };
	const flags = does.startsWith("-") ? texts : rest;
	const options = flags.filter((_, at) => !/^(?:-m|--message)$/.test(flags[at - 1] ?? ""));
	const isPlain = options.every((flag) =>
		/^(?:-[uaqm]+|--(?:include-untracked|all|quiet|message.*)?|[^-].*)$/.test(flag),
	);
	const hasPaths = does !== "save" && options.some((flag) => !flag.startsWith("-"));
	if (!isPlain) return { effects: [mayAny([], true)] };
	if (hasPaths || options.includes("--"))
		return {
			effects: [
				mayMatch(
					args.filter(({ text }, at) => !/^-|^push$/.test(text) && texts[at - 1] !== "-m"),
					directory,
				),
			],
		};
	const takesUntracked = options.some((flag) => /^-[a-z]*[ua]|^--(?:inc|all)/.test(flag));
	return { effects: [{ ...git, does: "stash", takesUntracked }] };
}

function reset({ args, texts, directory }: GitCall): Outcome {
	if (texts.some((text) => /^--(?:merge|keep)$/.test(text))) return { effects: [mayAny([], true)] };
	if (!texts.includes("--hard")) return NOTHING;
	const tree = args.find(({ text }) => !text.startsWith("-"));
	if (tree?.isLiteral === false && !/^[\w/.-]*@\{\w+\}$/.test(tree.text)) return { effects: [mayAny([], true)] };
	return { effects: [{ kind: "git", directory, does: "reset", tree: tree?.text }] };
}

const none =
	(isNone: RegExp, otherwise: (call: GitCall) => Outcome) =>
	(call: GitCall): Outcome =>
		call.texts.some((text) => isNone.test(text)) ? NOTHING : otherwise(call);

/** As of the shell, and by Git. */
const named = (options: RegExp, effectsOf: Parameters<typeof naming>[1]) => {
	const outcomeOf = naming(options, effectsOf);
	return ({ args, directory, texts }: GitCall): Outcome =>
		texts.some((text) => /[*?[\\]|^:/.test(text))
			? {
					effects: [
						mayMatch(
							args.filter(({ text }) => !text.startsWith("-")),
							directory,
						),
					],
				}
			: outcomeOf({ name: "git", args, directory, input: undefined });
};

const COMMANDS: ReadonlyMap<string, (call: GitCall) => Outcome> = new Map<string, (call: GitCall) => Outcome>([
	["add", added],
	["stage", added],
	["commit", committed],
	["checkout", checkedOut],
	["restore", restore],
	["stash", stashed],
	["reset", reset],
	[
		"mv",
		none(
			/^(?:-n|--dry-run)$/,
			named(/^-[fv]+$/, (names, _, texts) =>
				targetsOf(names, texts).map(([from, to]) => ({ kind: "move", from, to, by: "git" })),
			),
		),
	],
	[
		"rm",
		none(
			/^(?:-n|--dry-run|--cached)$/,
			named(/^(?:-[rfq]+|--force|--quiet)$/, (names) => names.map((path) => ({ kind: "remove", path, by: "git" }))),
		),
	],
	[
		"clean",
		none(/^(?:-[a-z]*n|--dry-run)/, ({ args, directory }) => {
			const names = args.filter(({ text }) => !text.startsWith("-"));
			return { effects: [names.length === 0 ? mayAny([], true) : mayMatch(names, directory)] };
		}),
	],
	["apply", none(/^--(?:check|stat|numstat|summary|cached)$/, () => ({ effects: [mayAny([], true)] }))],
	[
		"worktree",
		({ args, texts, directory }) => {
			const names = args.slice(1).filter(({ text }) => !text.startsWith("-"));
			return /^(?:remove|move)$/.test(texts[0] ?? "") ? { effects: [mayChange(names, directory)] } : NOTHING;
		},
	],
	["submodule", none(/^(?:status|summary)$/, () => ({ effects: [mayAny()] }))],
	[
		"clone",
		({ args, directory, texts }) => {
			const names = args
				.slice(args.length - afterOptions(texts, "bou").length)
				.filter(({ text }) => !text.startsWith("-"));
			const [from, to] = names;
			const last = from && { ...from, text: from.text.replace(/[/\\]*(?:\.git)?[/\\]*$/, "").replace(/^.*[/:]/, "") };
			const name = to ?? last;
			return { effects: [name === undefined ? mayAny() : mayChange([name], directory)] };
		},
	],
	["archive", none(/^(?!-o|--output)/, () => ({ effects: [mayAny()] }))],
	["format-patch", ({ directory }) => ({ effects: [{ kind: "may", paths: [directory], named: [], isWide: false }] })],
]);
