import { useApp } from "ink";
import { useEffect } from "react";

/**
 * Gives the terminal back while the process is stopped (`kill -TSTP`), and takes and repaints it when the process
 * continues, also after a stop that it could not notice (`kill -STOP`).
 */
export function useJobControl(): void {
	const { suspendTerminal } = useApp();
	useEffect(() => {
		const stop = (): void => {
			void suspendTerminal(async () => {
				const going = new Promise((resolve) => process.once("SIGCONT", resolve));
				process.off("SIGCONT", repaint);
				process.kill(process.pid, "SIGSTOP");
				await going;
				process.on("SIGCONT", repaint);
			});
		};
		const repaint = (): void => void suspendTerminal(() => Promise.resolve());
		process.on("SIGTSTP", stop);
		process.on("SIGCONT", repaint);
		return () => {
			process.off("SIGTSTP", stop);
			process.off("SIGCONT", repaint);
		};
	}, [suspendTerminal]);
}
