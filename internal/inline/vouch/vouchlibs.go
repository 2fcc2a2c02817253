package vouch

// Libraries of others that Python code is most often written with.

// PythonLibraryModules are modules in them that may be imported, too.
const PythonLibraryModules = `numpy.fft PIL.Image PIL.ImageDraw PIL.ImageFont matplotlib.pyplot matplotlib.patches matplotlib.colors scipy.stats scipy.optimize scipy.signal
scipy.interpolate scipy.linalg scipy.ndimage scipy.special scipy.spatial scipy.spatial.distance scipy.sparse scipy.integrate scipy.fft scipy.io
sklearn.linear_model sklearn.model_selection sklearn.metrics sklearn.preprocessing sklearn.ensemble sklearn.cluster sklearn.decomposition sklearn.neighbors
sklearn.tree sklearn.svm sklearn.naive_bayes sklearn.pipeline sklearn.datasets dateutil.parser dateutil.relativedelta torch.nn torch.cuda torch.version
google.protobuf ruamel.yaml rich.console rich.table`

// libraryActNames are of the libraries, as [actNames] are.
const libraryActNames = `pandas.read_parquet pandas.read_json pandas.read_excel pandas.read_table pandas.read_fwf pandas.read_feather
numpy.load numpy.genfromtxt PIL.Image.open cv2.imread matplotlib.pyplot.imread scipy.io.loadmat
numpy.save numpy.savetxt numpy.savez numpy.savez_compressed cv2.imwrite matplotlib.pyplot.savefig`

// libraryKeywordNames say how, not what to.
const libraryKeywordNames = `columns engine orient lines sheet_name skipfooter na_values low_memory chunksize dpi bbox_inches fmt facecolor format compression na_filter thousands decimal converters_ quotechar`
