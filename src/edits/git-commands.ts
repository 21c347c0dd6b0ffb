import { behindOptions, type ShellToken } from "../store/format/shell-tokens.ts";
import {
	type Call,
	mayChange,
	naming,
	pathOfWord,
	pathsOfWords,
	placeOfWord,
	split,
	targetsOf,
} from "./command-words.ts";
import { type FileEffect, mayAny, mayPaths } from "./effects.ts";

/** Commands of git that touch no file of the working tree, and no index that a later one could take text from. */
const READERS: ReadonlySet<string> = new Set(
	(
		"annotate blame branch bundle cat-file check-attr check-ignore clone commit-tree config count-objects describe diff diff-files " +
		"diff-index diff-tree fetch for-each-ref fsck gc grep hash-object help init log ls-files ls-remote ls-tree merge-base merge-tree " +
		"name-rev notes prune push range-diff reflog remote rev-list rev-parse shortlog show show-branch show-ref status symbolic-ref tag " +
		"update-index update-ref var version whatchanged write-tree"
	).split(" "),
);
/** A word that names a commit and no file. */
const REVISION =
	/^(?:HEAD|@|FETCH_HEAD|ORIG_HEAD|stash)(?:$|[~^@])|[~^]\d*$|^[0-9a-f]{7,40}$|^(?:origin|upstream)\/|^(?:main|master|develop)$/;

/** What a command of git does to the files, and to what Git puts back later. */
export function gitEffects({ args: given, directory: cwd }: Call): readonly FileEffect[] {
	const start = behindOptions(given, 0, "Cc");
	const options = given.slice(0, start);
	const isElsewhere = options.some(({ text }) => /^--(?:git-dir|work-tree)/.test(text));
	const at = options.findIndex(({ text }) => text === "-C");
	const to = options[at + 1];
	const directory = at === -1 ? cwd : to?.isLiteral === true ? pathOfWord(to.text, cwd) : undefined;
	const name = given[start]?.text ?? "";
	// Git reads patterns by itself too.
	const args = given.slice(start + 1).map((arg) => {
		if (/^:/.test(arg.text)) return { ...arg, text: "$", isLiteral: false };
		return /[*?[\\]/.test(arg.text) ? { ...arg, isLiteral: false } : arg;
	});
	const texts = args.map(({ text }) => text);
	if (READERS.has(name) || name === "") return texts.some((text) => /^--output/.test(text)) ? [mayAny()] : [];
	const command = COMMANDS.get(name);
	if (command === undefined) return [mayAny([], /^(?:lfs|filter-branch|filter-repo)$/.test(name))];
	const effects = command({ name, args, texts, directory: directory ?? "/", input: undefined });
	return effects.length === 0 || (directory !== undefined && !isElsewhere) ? effects : [mayAny()];
}

/** `name` is that of the command of git, `texts` the words behind it. */
type GitCall = Call & { readonly directory: string; readonly texts: readonly string[] };
type GitCommand = (call: GitCall) => readonly FileEffect[];

/** Any file may have changed, and Git does not say which. */
const UNTOLD: readonly FileEffect[] = [mayAny([], true)];

const moved: GitCommand = ({ directory, name }) => [{ kind: "git", directory, does: "move", subcommand: name }];

const added: GitCommand = ({ args, directory }) => {
	const { names } = split(args);
	const paths = names.flatMap((name) => placeOfWord(name, directory)?.path ?? []);
	return [{ kind: "git", directory, does: "add", paths: names.length === 0 ? undefined : paths }];
};

const COMMIT_VALUES =
	/^(?:-[a-zA-Z]*[mFCct]|--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|cleanup|trailer))$/;

const committed: GitCommand = (call) => {
	const { args, texts, directory } = call;
	const { names, flags } = split(args.filter((_, at) => !COMMIT_VALUES.test(texts[at - 1] ?? "")));
	const isAll = flags.some((flag) => /^-[a-zA-Z]*a|^--all$/.test(flag.replace(/^(-[a-zA-Z]*?)[mFCct].*/, "$1")));
	if (!isAll && names.length === 0) return moved(call);
	const paths = names.flatMap((name) => placeOfWord(name, directory)?.path ?? []);
	return [{ kind: "git", directory, does: "add", paths: isAll ? undefined : paths }, ...moved(call)];
};

function putBack(specs: readonly ShellToken[], tree: string | undefined, directory: string): readonly FileEffect[] {
	const paths = pathsOfWords(specs, directory);
	return [paths === undefined ? mayChange(specs, directory) : { kind: "git", directory, does: "restore", paths, tree }];
}

const checkedOut: GitCommand = (call) => {
	const { args, texts, directory } = call;
	const end = texts.indexOf("--");
	const { names, flags } = split(end === -1 ? args : args.slice(0, end));
	if (flags.some((flag) => /^(?:-p|--patch|--pathspec)/.test(flag))) return UNTOLD;
	if (flags.some((flag) => /^-[bBdt]|^--(?:detach|orphan|track)/.test(flag))) return moved(call);
	const [first, ...more] = names;
	const specs = end === -1 ? more : args.slice(end + 1);
	const isPlain = flags.every((flag) => /^(?:-q|-f|--quiet|--force|--no-progress)$/.test(flag));
	if (specs.length > 0) {
		const tree = first?.isLiteral === true && (end !== -1 || REVISION.test(first.text)) ? first.text : undefined;
		const isKnown = isPlain && (tree !== undefined || (end !== -1 && first === undefined));
		return isKnown ? putBack(specs, tree, directory) : [mayChange(end === -1 ? names : specs, directory)];
	}
	if (first === undefined) return [];
	if (/^\.{1,2}\/?$/.test(first.text)) return putBack(names, undefined, directory);
	if (REVISION.test(first.text)) return moved(call);
	// A word may be a branch or a file.
	const [path] = pathsOfWords(names, directory) ?? [];
	return path === undefined || /\.\w+$/.test(first.text)
		? [mayAny(path === undefined ? [] : [path])]
		: [...moved(call), mayPaths(path)];
};

const restored: GitCommand = ({ args, texts, directory }) => {
	const at = texts.findIndex((text) => /^(?:-s|--source)$/.test(text));
	const { names, flags } = split(at === -1 ? args : args.toSpliced(at, 2));
	const joined = flags.find((flag) => /^(?:--source=|-s.)/.test(flag))?.replace(/^(?:--source=|-s)/, "");
	const isStaged = flags.some((flag) => /^-[WSq]*S|^--staged/.test(flag));
	if (isStaged && !flags.some((flag) => /^-[WSq]*W|^--worktree/.test(flag))) return [];
	if (flags.some((flag) => /^-p|^--(?!staged|worktree|quiet|source)/.test(flag))) return [mayChange(names, directory)];
	return putBack(
		names,
		joined ?? (at === -1 ? undefined : texts[at + 1]) ?? (isStaged ? "HEAD" : undefined),
		directory,
	);
};

const stashed: GitCommand = ({ args, texts, directory }) => {
	const git = { kind: "git", directory } as const;
	const [does = "push"] = texts;
	if (/^(?:list|show|drop|clear|create|store)$/.test(does)) return [];
	const { names, flags } = split(args.filter((_, at) => !/^(?:-[a-z]*m|--message)$/.test(texts[at - 1] ?? "")));
	const more = names.slice(does.startsWith("-") ? 0 : 1);
	if (/^(?:pop|apply)$/.test(does))
		return more.every(({ text }) => /^(?:stash@\{0\}|0)$/.test(text)) ? [{ ...git, does: "pop" }] : UNTOLD;
	const isPlain = flags.every((flag) => /^(?:-[uaqm]+|--(?:include-untracked|all|quiet|message.*))$/.test(flag));
	if (!/^(?:push|save|-)/.test(does) || !isPlain) return UNTOLD;
	if (more.length > 0 && does !== "save") return [mayChange(more, directory)];
	const takes = (option: RegExp): boolean => flags.some((flag) => option.test(flag));
	const untracked = takes(/^-[a-z]*a|^--all$/) ? "all" : takes(/^-[a-z]*u|^--include/) ? "some" : "none";
	return [{ ...git, does: "stash", untracked }];
};

/** Unless it has such an option. */
const without =
	(option: RegExp, command: GitCommand): GitCommand =>
	(call) =>
		call.texts.some((text) => option.test(text)) ? [] : command(call);

const merged: GitCommand = (call) =>
	call.texts.some((text) => /^(?:-n|--no-commit|--squash|--autostash)$/.test(text)) ? UNTOLD : moved(call);

const COMMANDS: ReadonlyMap<string, GitCommand> = new Map(
	Object.entries<GitCommand>({
		add: without(/^(?:-[a-zA-Z]*[npNie]|--(?!all|update|force|verbose)\S+)$/, added),
		commit: without(/^--dry-run$/, committed),
		checkout: checkedOut,
		restore: restored,
		stash: stashed,
		reset: ({ texts, directory }) => {
			if (texts.includes("--hard")) return [{ kind: "git", directory, does: "reset" }];
			return texts.some((text) => /^--(?:merge|keep)$/.test(text)) ? UNTOLD : [];
		},
		mv: without(
			/^(?:-n|--dry-run)$/,
			naming(/^-[fv]+$/, (named) => targetsOf(named).map((names) => ({ kind: "move", ...names, by: "git" }))),
		),
		rm: without(
			/^(?:-n|--dry-run|--cached)$/,
			naming(/^(?:-[rfq]+|--force|--quiet)$/, ({ paths, flags }) => {
				const isCommitted = !/(?:^| )-(?:-force|[rq]*f)/.test(flags);
				return paths.map((path) => ({ kind: "remove", path, by: "git", isCommitted }));
			}),
		),
		worktree: without(/^(?:add|list|prune|lock|unlock)$/, () => UNTOLD),
		clean: without(/^(?:-[a-z]*n|--dry-run)/, () => UNTOLD),
		apply: without(/^--(?:check|stat|numstat|summary|cached)$/, () => UNTOLD),
		...Object.fromEntries(
			"merge pull rebase cherry-pick revert am switch bisect".split(" ").map((name) => [name, merged]),
		),
	}),
);
