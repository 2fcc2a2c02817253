package eval

import "github.com/heedsh/heed/risk"

// Libraries of others that Python code is most often written with. What is
// listed is what their own references say: nothing of it writes, sends, or runs
// what it is given. Functions that evaluate text (sympy.sympify, pandas.eval,
// jinja2 templates) or load pickles (torch.load, joblib.load, pandas.read_pickle)
// are left out on purpose.

// pythonLibraries may be imported: their own code is loaded and no more. Whether
// a file of the project stands in for one of them is the engine's question.
const pythonLibraries = `aiofiles alembic altair astropy attr attrs babel bcrypt black bokeh botocore bs4 cachetools celery certifi cffi chardet chess click
colorama cryptography cv2 Cython dask datasets dateutil dash django docker docutils docx duckdb faiss fastapi fasttext feedparser flask geopandas
gensim git gradio grpc gymnasium h5py httptools huggingface_hub idna imageio jax jinja2 joblib jsonschema jwt keras keyring kubernetes langchain
langcodes lightgbm llvmlite lxml mako markdown markupsafe marshmallow matplotlib mteb multidict mypy networkx nltk numba onnx onnxruntime openai
openpyxl orjson passlib peewee PIL pip plotly polars prometheus_client psutil pyarrow pycparser pydantic pygame pygments pymongo pyparsing PyPDF2
pypdf pytest pytz qdrant_client rapidfuzz redis regex rich ruamel s3fs sanic scipy scrapy seaborn selenium sentence_transformers sentencepiece serial
setuptools shapely simplejson sklearn solana solders spacy sphinx sqlalchemy starlette statsmodels streamlit sympy tabulate tensorflow termcolor
tiktoken tokenizers toml tomli torch torchaudio torchvision tornado tqdm transformers trio twisted typer tzlocal ujson uvicorn virtualenv wandb
websocket websockets werkzeug wheel whisper xarray xgboost xlrd yarl zmq zstandard fsspec exceptiongroup greenlet`

// pythonLibraryHarmless only compute.
const pythonLibraryHarmless = `scipy.stats.* scipy.optimize.* scipy.signal.* scipy.interpolate.* scipy.linalg.* scipy.ndimage.* scipy.special.* scipy.spatial.*
scipy.spatial.distance.* scipy.sparse.* scipy.integrate.* scipy.fft.*
sklearn.linear_model.* sklearn.model_selection.* sklearn.metrics.* sklearn.preprocessing.* sklearn.ensemble.* sklearn.cluster.* sklearn.decomposition.*
sklearn.neighbors.* sklearn.tree.* sklearn.svm.* sklearn.naive_bayes.* sklearn.datasets.load_iris sklearn.datasets.load_digits sklearn.datasets.make_classification
pandas.isna pandas.isnull pandas.notna pandas.notnull pandas.merge pandas.cut pandas.qcut pandas.get_dummies pandas.to_numeric pandas.to_timedelta pandas.date_range
pandas.Timestamp pandas.Timedelta pandas.set_option pandas.crosstab pandas.pivot_table pandas.melt pandas.unique pandas.Categorical pandas.Index pandas.NA pandas.NaT pandas.option_context
numpy.argwhere numpy.gradient numpy.trace numpy.nanstd numpy.nanmedian numpy.ptp numpy.digitize numpy.cbrt numpy.square numpy.rint numpy.trunc numpy.add numpy.subtract numpy.multiply numpy.divide
numpy.hypot numpy.arctan2 numpy.arctan numpy.arcsin numpy.arccos numpy.sinh numpy.cosh numpy.tanh numpy.fft.* numpy.pad numpy.delete numpy.insert numpy.append numpy.in1d numpy.isin numpy.setdiff1d
numpy.intersect1d numpy.union1d numpy.triu numpy.tril numpy.kron numpy.einsum numpy.apply_along_axis numpy.average numpy.select numpy.swapaxes numpy.moveaxis numpy.packbits numpy.unpackbits
numpy.int8 numpy.int16 numpy.uint16 numpy.uint32 numpy.uint64 numpy.float16 numpy.complex128 numpy.datetime64 numpy.timedelta64 numpy.errstate numpy.finfo numpy.iinfo numpy.ndim numpy.shape numpy.size
PIL.Image.new PIL.Image.fromarray PIL.Image.frombytes PIL.ImageDraw.Draw
matplotlib.use matplotlib.pyplot.figure matplotlib.pyplot.subplots matplotlib.pyplot.subplot matplotlib.pyplot.plot matplotlib.pyplot.scatter matplotlib.pyplot.bar matplotlib.pyplot.barh matplotlib.pyplot.hist
matplotlib.pyplot.imshow matplotlib.pyplot.title matplotlib.pyplot.xlabel matplotlib.pyplot.ylabel matplotlib.pyplot.legend matplotlib.pyplot.grid matplotlib.pyplot.xlim matplotlib.pyplot.ylim
matplotlib.pyplot.tight_layout matplotlib.pyplot.close matplotlib.pyplot.xticks matplotlib.pyplot.yticks matplotlib.pyplot.colorbar matplotlib.pyplot.axhline matplotlib.pyplot.axvline matplotlib.pyplot.text
matplotlib.pyplot.annotate matplotlib.pyplot.fill_between matplotlib.pyplot.errorbar matplotlib.pyplot.boxplot matplotlib.pyplot.suptitle matplotlib.pyplot.axis matplotlib.pyplot.pie matplotlib.pyplot.show
matplotlib.get_backend matplotlib.pyplot.gca matplotlib.pyplot.gcf matplotlib.pyplot.clf
torch.tensor torch.zeros torch.ones torch.rand torch.randn torch.arange torch.manual_seed torch.cat torch.stack torch.matmul torch.no_grad torch.randint torch.eye torch.linspace torch.get_num_threads
torch.cuda.is_available torch.cuda.device_count torch.cuda.get_device_name torch.cuda.current_device torch.cuda.memory_allocated torch.device torch.allclose torch.sum torch.mean torch.softmax
tensorflow.constant tensorflow.zeros tensorflow.ones tensorflow.reduce_sum tensorflow.config.list_physical_devices
bs4.BeautifulSoup idna.encode idna.decode dateutil.parser.parse dateutil.parser.isoparse dateutil.relativedelta.relativedelta tabulate.tabulate tqdm.tqdm pytz.timezone pytz.utc
toml.loads toml.dumps tomli.loads orjson.loads orjson.dumps ujson.loads ujson.dumps simplejson.loads simplejson.dumps chardet.detect markdown.markdown regex.* jsonschema.validate
cv2.resize cv2.cvtColor cv2.threshold cv2.Canny cv2.GaussianBlur cv2.findContours cv2.contourArea cv2.boundingRect cv2.inRange cv2.countNonZero cv2.absdiff cv2.split cv2.merge cv2.rectangle cv2.getBuildInformation
langcodes.get langcodes.standardize_tag langcodes.tag_is_valid langcodes.closest_match rapidfuzz.fuzz.* pyarrow.array pyarrow.table`

// pythonLibraryMethods only compute, on what the functions above give.
const pythonLibraryMethods = `fit predict predict_proba transform fit_transform score get_params inverse_transform cross_validate
getcolors getextrema getbands getpalette load getpixel putpixel convert resize crop rotate getdata histogram getbbox split thumbnail tobytes line rectangle ellipse
set_title set_xlabel set_ylabel set_xlim set_ylim legend grid plot scatter bar hist imshow twinx annotate axhline axvline fill_between tight_layout
numel item detach cpu dim to_pydict num_rows column_names schema find_all select select_one get_text prettify findAll
merge assign melt stack unstack tz_localize tz_convert to_period to_pydatetime iloc loc between_time first_valid_index ffill bfill interpolate cummax cummin
len zscore nonzero swapaxes repeat fill trace conj round searchsorted byteswap`

// pythonLibraryFiles lists what they do to files.
func pythonLibraryFiles(t *table) {
	t.call(reading(0), `pandas.read_parquet pandas.read_json pandas.read_excel pandas.read_table pandas.read_fwf pandas.read_feather
numpy.load numpy.genfromtxt PIL.Image.open cv2.imread matplotlib.pyplot.imread scipy.io.loadmat toml.load tomli.load pyarrow.parquet.read_table`)
	t.call(write(0, 1, risk.NoKind), "numpy.save numpy.savetxt numpy.savez numpy.savez_compressed cv2.imwrite")
	t.call(write(0, -1, risk.NoKind), "matplotlib.pyplot.savefig")
}
