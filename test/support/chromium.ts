import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { createTempDir } from "./temp-dir.ts";

/** Names under which systems have it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium of this machine; undefined where there is none. */
export const chromium: string | undefined = NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);

/** A page's width, and which colors its reader likes. */
export interface Look {
	readonly width: number;
	readonly height: number;
	readonly dark?: boolean;
}

interface Answer {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: Readonly<Record<string, unknown>>;
	readonly error?: { readonly message: string };
}

/** A Chromium without a screen, with one page (chromedevtools.github.io/devtools-protocol). */
export class Browser {
	/** Everything that was to be loaded besides the page itself. */
	readonly requests: string[] = [];
	/** Errors and warnings, of the page's policy too. */
	readonly complaints: string[] = [];
	readonly #process: ChildProcess;
	readonly #socket: WebSocket;
	readonly #remove: () => void;
	readonly #waiting = new Map<number, (answer: Answer) => void>();
	readonly #events = new Map<string, () => void>();
	#session = "";
	#sent = 0;

	private constructor(process: ChildProcess, socket: WebSocket, remove: () => void) {
		this.#process = process;
		this.#socket = socket;
		this.#remove = remove;
		socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as Answer));
	}

	static async start(program: string): Promise<Browser> {
		const profile = createTempDir();
		const args = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run"];
		const child = spawn(program, [...args, `--user-data-dir=${profile.path}`, "about:blank"], {
			stdio: ["ignore", "ignore", "pipe"],
		});
		const url = await new Promise<string>((resolve, reject) => {
			let said = "";
			child.stderr?.on("data", (data) => {
				said += data;
				const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
				if (found !== undefined) resolve(found);
			});
			child.on("exit", () => reject(new Error(`${program} ended: ${said}`)));
		});
		const socket = new WebSocket(url);
		await once(socket, "open");
		const browser = new Browser(child, socket, profile.remove);
		const { targetId } = await browser.#send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await browser.#send("Target.attachToTarget", { targetId, flatten: true });
		browser.#session = String(sessionId);
		for (const domain of ["Page", "Network", "Runtime", "Log"]) await browser.#send(`${domain}.enable`);
		return browser;
	}

	/** Opens a file, and waits until it is loaded. */
	async open(path: string, { width, height, dark = false }: Look, hash = ""): Promise<void> {
		const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
		await this.#send("Emulation.setDeviceMetricsOverride", metrics);
		await this.media("screen", dark);
		const loaded = new Promise<void>((resolve) => this.#events.set("Page.loadEventFired", resolve));
		await this.#send("Page.navigate", { url: pathToFileURL(path).href + hash });
		await loaded;
	}

	/** Paper or screen, dark or light. */
	private async media(media: "screen" | "print", dark = false): Promise<void> {
		const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
		await this.#send("Emulation.setEmulatedMedia", { media, features });
	}

	/** The value of an expression in the page. */
	async ask(expression: string): Promise<unknown> {
		const { result } = await this.#send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
		return (result as { readonly value?: unknown }).value;
	}

	/** Does something while the page's own scripts do not run. */
	async withoutScripts(work: () => Promise<void>): Promise<void> {
		await this.#send("Emulation.setScriptExecutionDisabled", { value: true });
		try {
			await work();
		} finally {
			await this.#send("Emulation.setScriptExecutionDisabled", { value: false });
		}
	}

	/** What is seen, as a PNG. */
	async picture(): Promise<Buffer> {
		const { data } = await this.#send("Page.captureScreenshot", { format: "png" });
		return Buffer.from(String(data), "base64");
	}

	/** The page on paper, as a PDF. */
	async paper(): Promise<Buffer> {
		await this.media("print");
		const { data } = await this.#send("Page.printToPDF", { printBackground: true });
		return Buffer.from(String(data), "base64");
	}

	async close(): Promise<void> {
		const ended = once(this.#process, "exit");
		this.#socket.close();
		this.#process.kill("SIGKILL");
		await ended;
		this.#remove();
	}

	#send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
		const id = ++this.#sent;
		const session = this.#session === "" ? {} : { sessionId: this.#session };
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, ({ result, error }) => {
				if (error === undefined) resolve(result ?? {});
				else reject(new Error(`${method}: ${error.message}`));
			});
			this.#socket.send(JSON.stringify({ id, method, params, ...session }));
		});
	}

	#receive(answer: Answer): void {
		const { id, method = "", params = {} } = answer;
		if (id !== undefined) this.#waiting.get(id)?.(answer);
		else if (method === "Network.requestWillBeSent")
			this.#note(params.request as { readonly url: string }, params.type);
		else if (method === "Runtime.exceptionThrown") this.complaints.push(JSON.stringify(params.exceptionDetails));
		else if (method === "Log.entryAdded") this.complaints.push(JSON.stringify(params.entry));
		this.#events.get(method)?.();
	}

	#note({ url }: { readonly url: string }, type: unknown): void {
		if (type !== "Document" && !url.startsWith("data:")) this.requests.push(url);
	}
}
