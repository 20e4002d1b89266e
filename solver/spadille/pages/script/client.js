// The page's end of the worker.

export class Oracle {
  #last = 0;
  #listen = null;

  // `source` is the script itself: the worker runs the same one. `module` is the packed engine.
  constructor(source, module) {
    this.url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => {
      if (data.id === this.#last) this.#listen?.(data);
    };
    this.worker.postMessage({ module });
  }

  // Asks; what was asked before is given up. `listen` gets every answer.
  ask(request, listen) {
    this.#last += 1;
    this.#listen = listen;
    this.worker.postMessage({ ...request, id: this.#last });
  }

  // Gives up what was asked last.
  stop() {
    this.#last += 1;
    this.worker.postMessage({ stop: true });
  }
}
