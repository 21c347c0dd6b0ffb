import type { KeyTimes, ScreenTerminal } from "./screen-terminal.ts";

/** Each key is pressed this often. */
const TIMES = 15;

/** What keys took, in ms. */
export interface KeyMedians {
	/** To the first frame. */
	readonly frame: number;
	/** What the program's main thread worked for it. */
	readonly work: number;
}

/** Presses keys one after the other, as often as there are times for each. */
export async function mediansOf(terminal: ScreenTerminal, keys: readonly string[]): Promise<KeyMedians> {
	const times: KeyTimes[] = [];
	for (let round = 0; round < TIMES; round++) for (const key of keys) times.push(await terminal.press(key));
	return { frame: median(times.map(({ frame }) => frame)), work: median(times.map(({ work }) => work)) };
}

export function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** "7.3 ms", "254 ms". */
export function ms(value: number): string {
	return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

/** Prints a row of the table. */
export function row(measure: string, goal: string, result: string): void {
	process.stdout.write(`| ${measure} | ${goal} | ${result} |\n`);
}

/** Prints what the same keys took for two sizes of the same thing. */
export function ratioRow(measure: string, goal: string, few: KeyMedians, many: KeyMedians): void {
	const ratio = (many.frame / few.frame).toFixed(2);
	const works = `work ${ms(few.work)} and ${ms(many.work)}`;
	row(measure, goal, `${ms(few.frame)} and ${ms(many.frame)}, ${ratio} × (${works})`);
}
