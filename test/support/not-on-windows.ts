const PIPE = "Windows has no named pipes among its files";
const MODES = "its files have no modes";
const SCRIPT = "a shell script takes the place of a program";
const PATHS = "it is about paths of Unix on this machine";
const SOURCES = "it compares the paths of sources as texts with slashes";
const LINKS = "only with special rights are there symbolic links";

/**
 * What is known not to work on Windows: a test file, or a group or a test in one (`file > group > test`), and why. What needs a terminal
 * (`test/cli`, `test/attack`) is not run there at all. Nobody has seen these tests run on Windows: what fails is mended, or added here.
 */
export const NOT_ON_WINDOWS: Readonly<Record<string, string>> = {
	"test/app/features/changes/take-changes.test.ts > what was changed": SCRIPT,
	"test/app/features/excerpts/take-out.test.ts > opening": SCRIPT,
	"test/app/features/excerpts/take-out.test.ts > saving": MODES,
	"test/app/features/excerpts/take-out.test.ts > the person's program": SCRIPT,
	"test/app/features/sessions/tmux-window.test.ts": SCRIPT,
	"test/app/undo.test.ts > what was done since": SCRIPT,
	"test/app/world/effects/read-keybindings.test.ts > an unreadable file is reported, without waiting for it": PIPE,
	"test/app/world/effects/read-pi-theme.test.ts > missing or damaged themes are reported, and the default colors apply":
		PIPE,
	"test/app/world/effects/temporary-directory.test.ts > a pipe in place of a note blocks nothing, and its directory stays":
		PIPE,
	"test/architecture.test.ts": SOURCES,
	"test/catalog/places/all-places.test.ts": SCRIPT,
	"test/catalog/places/host.test.ts": SCRIPT,
	"test/catalog/places/placed-rows.test.ts > a directory there is found here with the home directory replaced": PATHS,
	"test/catalog/scan/project-dirs.test.ts > nothing on another machine is touched, also not behind a link": PATHS,
	"test/catalog/scan/session-elsewhere.test.ts": PATHS,
	"test/catalog/scan/session-files.test.ts": LINKS,
	"test/catalog/search/changed-while-counted.test.ts": SCRIPT,
	"test/catalog/search/ripgrep.test.ts > a pattern that ripgrep gives up on": SCRIPT,
	"test/catalog/search/ripgrep.test.ts > ripgrep": SCRIPT,
	"test/catalog/search/search-processes.test.ts": SCRIPT,
	"test/catalog/search/unread.test.ts": MODES,
	"test/catalog/stats/numbers.test.ts > counting step by step > skips what cannot be read": PIPE,
	"test/catalog/sync/failures.test.ts > the index > is for this person alone, also where it was not": MODES,
	"test/catalog/sync/failures.test.ts > the index > that is a named pipe is set aside": PIPE,
	"test/catalog/sync/runs-elsewhere.test.ts": LINKS,
	"test/changes/engine/archive.test.ts > resuming an archived session brings it back first, after asking": SCRIPT,
	"test/changes/journal/journal.test.ts > modes": MODES,
	"test/changes/noted/marks.test.ts > what is wrong with the file > a pipe or a directory in its place is an error, and nobody waits":
		PIPE,
	"test/extensions/find-program.test.ts": SCRIPT,
	"test/platforms.test.ts > processes without /proc": SCRIPT,
	"test/store/files/pipe.test.ts": PIPE,
	"test/store/read/large-session.test.ts > does not wait for a pipe": PIPE,
	"test/store/write/mode.test.ts": MODES,
	"test/terminal/terminal.test.ts": "it opens a pseudo-terminal by its path",
};

/** Why a file, a group or a test is not run on Windows; undefined if it is. `fullName`: as vitest has it. */
export function whyNotOnWindows(fullName: string): string | undefined {
	const name = Object.keys(NOT_ON_WINDOWS).find((one) => fullName === one || fullName.startsWith(`${one} > `));
	return name === undefined ? undefined : NOT_ON_WINDOWS[name];
}
