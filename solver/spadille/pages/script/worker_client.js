// Sends requests from the page to the worker.

export class WorkerClient {
  #last = 0;
  #listen = null;

  // `source` is this script, which the worker also runs; `module` is the packed engine, and `strength` are
  // packed tables.
  constructor(source, module, strength) {
    this.again = () => new WorkerClient(source, module, strength);
    this.url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => {
      if (data.id === this.#last) this.#listen?.(data);
    };
    this.worker.postMessage({ module, strength });
  }

  // Sends a request and cancels the previous one; `listen` gets every answer.
  ask(request, listen) {
    this.#last += 1;
    this.#listen = listen;
    this.worker.postMessage({ ...request, id: this.#last });
  }

  // Ends the worker.
  end() {
    this.worker.terminate();
    URL.revokeObjectURL(this.url);
  }

  // Cancels the last request.
  stop() {
    this.#last += 1;
    this.worker.postMessage({ stop: true });
  }
}
