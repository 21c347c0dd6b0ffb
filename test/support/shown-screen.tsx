import { App } from "../../components/App.tsx";
import { createTheme } from "../../src/ui/theme/theme.ts";
import type { FakeTerminal } from "./fake-terminal.ts";
import { draw } from "./render.tsx";
import type { Driver } from "./start-program.ts";

/** The sizes of golden screens: three panes, two or one, and the smallest. */
export const GOLDEN_SIZES = [
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 10 },
] as const;

/** What the program shows in a terminal of this size, as rows of text. */
export function shownScreen(driver: Driver, columns: number, rows: number): Promise<string> {
	return drawn(driver, columns, rows, async (terminal) => `${(await terminal.screen()).join("\n")}\n`);
}

/** The same with its colors (`styled-screen.ts`). */
export function styledShownScreen(driver: Driver, columns: number, rows: number): Promise<string> {
	return drawn(driver, columns, rows, async (terminal) => {
		await terminal.screen();
		return terminal.styledScreen();
	});
}

const theme = createTheme({ depth: "24-bit" });
const THEME = { current: () => theme, subscribe: () => () => undefined };

async function drawn(
	{ program }: Driver,
	columns: number,
	rows: number,
	read: (terminal: FakeTerminal) => Promise<string>,
): Promise<string> {
	const { terminal, ink } = draw(<App program={program} theme={THEME} />, columns, rows);
	try {
		// The directory of a demo differs each time, but its length does not.
		const screen = (await read(terminal)).replaceAll(/demo-\w{6}/g, "demo-XXXXXX");
		// Of a path that is cut, the end of that name may be left.
		return screen.replaceAll(/(?<=…(?:[demo]*-)?)\w{1,6}(?=\/work\/)/g, (end) => "X".repeat(end.length));
	} finally {
		ink.unmount();
	}
}
