import { useApp } from "ink";
import { useEffect } from "react";
import type { Program } from "../src/app/core/program.ts";

/** Where nobody can continue a process, the system does not stop it; then it goes on after this time. */
const STOPPED_MS = 100;

/**
 * Gives the terminal back while the process is stopped (by the person, or by `kill -TSTP`), and takes and repaints it when
 * the process continues, also after a stop that it could not notice (`kill -STOP`).
 */
export function useJobControl(program: Program): void {
	const { suspendTerminal } = useApp();
	useEffect(() => {
		const repaint = (): void => void suspendTerminal(() => Promise.resolve());
		const stopped = (stop: () => Promise<void>): void => {
			void suspendTerminal(async () => {
				process.off("SIGCONT", repaint);
				await stop();
				process.on("SIGCONT", repaint);
			});
		};
		const stopAlone = (): void =>
			stopped(async () => {
				const going = continued();
				process.kill(process.pid, "SIGSTOP");
				await going;
			});
		// As the terminal does for ctrl+z: all that the shell started with us stops too, so that the shell comes back.
		const stopAll = (): void =>
			stopped(async () => {
				process.off("SIGTSTP", stopAlone);
				const going = Promise.race([continued(), new Promise((resolve) => setTimeout(resolve, STOPPED_MS))]);
				process.kill(0, "SIGTSTP");
				await going;
				process.on("SIGTSTP", stopAlone);
			});
		// A program to which the terminal is lent stops and continues by itself, and we with it, as the system does it.
		const lend = async (work: () => Promise<void>): Promise<void> => {
			process.off("SIGTSTP", stopAlone);
			process.off("SIGCONT", repaint);
			try {
				await suspendTerminal(work);
			} finally {
				process.on("SIGTSTP", stopAlone);
				process.on("SIGCONT", repaint);
			}
		};
		process.on("SIGTSTP", stopAlone);
		process.on("SIGCONT", repaint);
		program.onLend(lend);
		if (process.platform !== "win32") program.onSuspend(stopAll);
		return () => {
			process.off("SIGTSTP", stopAlone);
			process.off("SIGCONT", repaint);
			program.onSuspend(undefined);
			program.onLend(undefined);
		};
	}, [program, suspendTerminal]);
}

function continued(): Promise<unknown> {
	return new Promise((resolve) => process.once("SIGCONT", resolve));
}
