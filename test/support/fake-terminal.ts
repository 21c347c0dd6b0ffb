import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import { styledScreen } from "./styled-screen.ts";

/** Streams that Ink takes for a terminal, with a real screen model behind them. */
export class FakeTerminal extends EventEmitter {
	readonly isTTY = true;
	readonly stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => this.stdin,
		ref: () => this.stdin,
		unref: () => this.stdin,
	});
	columns: number;
	rows: number;
	/** Everything that was written, raw. */
	written = "";
	readonly #screen: InstanceType<typeof xterm.Terminal>;

	/** `widthOf` is the terminal's own idea of how wide a character is; default: the table of Unicode 6. */
	constructor(columns: number, rows: number, widthOf?: (codePoint: number) => 0 | 1 | 2) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.#screen = new xterm.Terminal({
			cols: columns,
			rows,
			scrollback: 1000,
			allowProposedApi: true,
			convertEol: true,
		});
		if (widthOf) this.#setWidths(widthOf);
	}

	/** As a stream's `write`. */
	write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
		const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
		this.written += text;
		const done = rest.find((argument) => typeof argument === "function");
		this.#screen.write(text, () => done?.());
		return true;
	};

	/** Resizes the window, as a user does, and notifies the program. */
	resize(columns: number, rows: number): void {
		this.columns = columns;
		this.rows = rows;
		this.#screen.resize(columns, rows);
		this.emit("resize");
	}

	/** The rows of the screen as text, after everything written so far has been drawn. */
	async screen(): Promise<string[]> {
		await this.drawn();
		const buffer = this.#screen.buffer.active;
		return Array.from({ length: this.rows }, (_, row) =>
			(buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? "").trimEnd(),
		);
	}

	/** The screen with its colors, as text to compare (`styled-screen.ts`), after everything has been drawn. */
	async styledScreen(): Promise<string> {
		await this.drawn();
		return styledScreen(this.#screen);
	}

	/** What each cell of a row holds, "" for the second one of a wide character, after everything has been drawn. */
	async cells(row: number): Promise<string[]> {
		await this.drawn();
		const line = this.#screen.buffer.active.getLine(this.#screen.buffer.active.viewportY + row);
		return Array.from({ length: this.columns }, (_, column) => line?.getCell(column)?.getChars() ?? "");
	}

	/** Cell of the cursor, after everything written so far has been drawn. */
	async cursor(): Promise<{ x: number; y: number }> {
		await this.drawn();
		return { x: this.#screen.buffer.active.cursorX, y: this.#screen.buffer.active.cursorY };
	}

	/** The rows above the normal screen. */
	async scrollback(): Promise<string[]> {
		await this.drawn();
		const buffer = this.#screen.buffer.normal;
		return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? "");
	}

	/** Which cells of a row are drawn in inverse. */
	async inverted(row: number): Promise<boolean[]> {
		await this.drawn();
		const line = this.#screen.buffer.active.getLine(this.#screen.buffer.active.viewportY + row);
		return Array.from({ length: this.columns }, (_, column) => Boolean(line?.getCell(column)?.isInverse()));
	}

	#setWidths(widthOf: (codePoint: number) => 0 | 1 | 2): void {
		this.#screen.unicode.register({
			version: "own",
			wcwidth: widthOf,
			// A character of no width joins the one before it; the bits are those of xterm's own tables.
			charProperties: (codePoint, preceding) => {
				const width = widthOf(codePoint);
				const joins = width === 0 && preceding !== 0;
				return ((joins ? (preceding >> 1) & 3 : width) << 1) | (joins ? 1 : 0);
			},
		});
		this.#screen.unicode.activeVersion = "own";
	}

	drawn(): Promise<void> {
		return new Promise((resolve) => this.#screen.write("", resolve));
	}
}
